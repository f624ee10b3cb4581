/**
 * Writes apps/gateway/openapi.json from the route table; with `--check`, only fails if the file would change. Both validate the
 * description with the schema of OpenAPI 3.1.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { description } from './description.ts';

const file = new URL('../../../openapi.json', import.meta.url);
const text = `${JSON.stringify(description, null, 2)}\n`;

// The validator resolves references in place, so it gets a copy.
const { valid, errors } = await new Validator().validate(JSON.parse(text) as Record<string, unknown>);
if (!valid) fail(`The route table does not make a valid OpenAPI description:\n${JSON.stringify(errors, null, 2)}`);

if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  fail('apps/gateway/openapi.json is out of date. Run `npx nx run gateway:openapi`; `git diff` shows what changed.');
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
