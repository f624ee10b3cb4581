import type { Route } from '../route.ts';
import { DESCRIBED_BASE_URL } from './described-base-url.ts';
import { EXAMPLE_IDS } from './example-ids.ts';

/** Lists without pages. */
const WHOLE_LISTS: ReadonlySet<string> = new Set(['list_platforms', 'list_oidc_providers']);

/** A program that calls an operation with the client library; undefined for operations that the library does not have. */
export function sdkSample(route: Route): string | undefined {
  const { operationId, sdkMethod, path } = route;
  const examples = route.raw ? undefined : route.examples;
  if (sdkMethod === undefined) return undefined;
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => literal((EXAMPLE_IDS as Record<string, string>)[name] ?? name));
  const call = (...args: string[]) => `fanfare.${sdkMethod}(${[...ids, ...args].join(', ')})`;
  const isEmpty = Object.keys((examples?.body as object | undefined) ?? {}).length === 0;
  const sent = isEmpty ? [] : [literal(examples?.body)];
  switch (operationId) {
    case 'upload_media':
      return program(
        `const file = await openAsBlob('bread.jpg', { type: 'image/jpeg' });
const media = await ${call(`{ file, alt_text: 'A loaf of rye bread' }`)};
console.log(media);`,
        `import { openAsBlob } from 'node:fs';\n`,
      );
    case 'publish_post':
      return program(`const sending = await ${call(...sent)};
const post = await fanfare.posts.waitUntilPublished(sending);
console.log(post.publish_results);`);
  }
  const isPaged = operationId.startsWith('list_') && !WHOLE_LISTS.has(operationId);
  return program(isPaged ? `for await (const row of ${call()}) console.log(row);` : `console.log(await ${call(...sent)});`);
}

const program = (body: string, imports = '') => `${imports}import { createFanfare } from '@fanfare/sdk';

const fanfare = createFanfare({
  baseUrl: '${DESCRIBED_BASE_URL}',
  apiKey: process.env.FANFARE_API_KEY,
});
${body}`;

/** A value as a TypeScript literal. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, indent)).join(', ')}]`;
  const deeper = `${indent}  `;
  const members = Object.entries(value).map(
    ([name, each]) => `${deeper}${/^\w+$/.test(name) ? name : literal(name)}: ${literal(each, deeper)},\n`,
  );
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`;
}
