import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createFanfare, type Listing } from '@fanfare/sdk';
import { startScriptedApi, type ScriptedApi } from './scripted-api.ts';

interface Operation {
  operationId: string;
  'x-codeSamples'?: { source: string }[];
  parameters?: { $ref?: string }[];
}

const description = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../apps/gateway/openapi.json'), 'utf8')) as {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
};
/** Where a provider or a platform sends a browser to, or calls us itself: no program of a caller's does. */
const FOR_PLATFORMS = [
  'arrive_from_oidc_provider',
  'arrive_from_platform',
  'deauthorize_meta_user',
  'delete_meta_user_data',
  'get_data_deletion',
];
/** Spoken by clients of the tus protocol, such as tus-js-client. */
const isTus = ({ operationId, takes }: { operationId: string; takes: (name: string) => boolean }) =>
  operationId === 'describe_uploads' || takes('TusResumable');
/** Methods that are made of others; the documentation shows each operation by the method of its own. */
const CONVENIENCES = ['jobs.waitUntilEnded', 'posts.waitUntilPublished'];
const operations = Object.entries(description.paths).flatMap(([template, byMethod]) =>
  Object.entries(byMethod).map(([method, { operationId, parameters = [], 'x-codeSamples': samples = [] }]) => ({
    operationId,
    sample: samples.map(({ source }) => source).join(),
    method: method.toUpperCase(),
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?.*)?$`),
    fixed: template.replaceAll(/\{\w+\}/g, '').length,
    takes: (name: string) => parameters.some(({ $ref }) => $ref === `#/components/parameters/${name}`),
  })),
);

let api: ScriptedApi;
beforeAll(async () => {
  api = await startScriptedApi();
  api.reply({ body: { items: [], next: null, publish_results: [{ status: 'success' }] } });
});
afterAll(() => api.stop());

/** Each takes its ids, then what it sends, if anything, and last the options. */
function argumentsFor(call: (...args: unknown[]) => unknown): unknown[] {
  const [parameters = ''] = String(call).split('=>');
  if (parameters.startsWith('(post,')) return [{ business_id: 'id-0', id: 'id-1' }];
  const ids = [...parameters.matchAll(/\b\w+_id\b/g)].map((_, at) => `id-${at}`);
  return [...ids, ...(/\b(?:query|body)\b|\{ file/.test(parameters) ? [{}] : []), { ifMatch: '"1.x"' }];
}

/** /posts/validate fits /posts/{post_id} too: the more of it is fixed, the better it fits. */
const operationOf = ({ method, path }: { method: string; path: string }) =>
  operations.filter((one) => one.method === method && one.pattern.test(path)).sort((a, b) => b.fixed - a.fixed)[0];

test('every operation of the API can be called, and carries an idempotency key or a condition exactly where it takes one', async () => {
  const fanfare = createFanfare({ baseUrl: api.baseUrl, apiKey: 'fk_test_x' });
  const called = new Set<string>();
  for (const [name, resource] of Object.entries(fanfare)) {
    for (const [method, call] of Object.entries(resource as Record<string, (...args: unknown[]) => unknown>)) {
      api.received.length = 0;
      const result = call(...argumentsFor(call));
      await ('page' in (result as object) ? (result as Listing<{ items: unknown[]; next: string | null }>).page() : result);
      const [request] = api.received;
      const operation = request && operationOf(request);
      const shown = `${name}.${method} → ${request?.method} ${request?.path}`;
      expect({ shown, known: operation !== undefined }).toEqual({ shown, known: true });
      called.add(operation?.operationId ?? '');
      if (!CONVENIENCES.includes(`${name}.${method}`)) {
        const [isSampled, isLoop] = [`fanfare.${name}.${method}(`, 'for await'].map((part) => operation?.sample.includes(part));
        expect({ shown, isSampled, isLoop }).toEqual({ shown, isSampled: true, isLoop: 'page' in (result as object) });
      }
      expect({
        shown,
        key: request?.headers['idempotency-key'] !== undefined,
        condition: request?.headers['if-match'] !== undefined,
      }).toEqual({ shown, key: operation?.takes('IdempotencyKey'), condition: operation?.takes('IfMatch') });
    }
  }
  const forPrograms = operations.filter((operation) => !isTus(operation) && !FOR_PLATFORMS.includes(operation.operationId));
  expect(forPrograms.map(({ operationId }) => operationId).filter((id) => !called.has(id))).toEqual([]);
});
