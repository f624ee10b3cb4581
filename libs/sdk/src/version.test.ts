import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SDK_VERSION, userAgent } from './version.ts';

test('is the one of the package', () => {
  const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string };
  expect(SDK_VERSION).toBe(version);
});

test('leaves it to a browser to name itself, which has no Node', () => expect(userAgent({})).toBeUndefined());
