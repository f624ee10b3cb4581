/** Writes apps/gateway/openapi.json from the route table; with `--check` only says, by its exit code, whether that would change it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { routes } from '../routes/index.ts';
import { describeApi } from './describe-api.ts';

const file = new URL('../../openapi.json', import.meta.url);
const current = `${JSON.stringify(describeApi(routes), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, current);
} else if (readFileSync(file, 'utf8') !== current) {
  console.error('apps/gateway/openapi.json is not what the route table says. Run: npx nx run gateway:openapi');
  process.exitCode = 1;
}
