/**
 * Writes apps/gateway/openapi.json from the route table; with `--check` only says whether that would change it, and what. Either way the
 * description is held against the schema of OpenAPI 3.1.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { description } from './description.ts';
import { differences } from './differences.ts';

const MOST_LINES = 40;
const file = new URL('../../../openapi.json', import.meta.url);
const text = `${JSON.stringify(description, null, 2)}\n`;

// The validator resolves references in place: it gets a copy.
const { valid, errors } = await new Validator().validate(JSON.parse(text) as Record<string, unknown>);
if (!valid) fail(`The route table makes no valid OpenAPI description:\n${JSON.stringify(errors, null, 2)}`);

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else {
  const committed = readFileSync(file, 'utf8');
  if (committed !== text) {
    const lines = differences(JSON.parse(committed), JSON.parse(text));
    const more = lines.length > MOST_LINES ? [`… and ${lines.length - MOST_LINES} more`] : [];
    fail(
      [
        'apps/gateway/openapi.json is not what the route table says. Run: npx nx run gateway:openapi',
        ...lines.slice(0, MOST_LINES),
        ...more,
      ].join('\n'),
    );
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
