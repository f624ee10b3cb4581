import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { createLogger } from './logger.ts';
import { withSourceLocations } from './source-locations.ts';

let dir: string;
let bundle: string;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'fanfare-places-'));
  await writeFile(
    path.join(dir, 'fail.ts'),
    `// A comment that the bundle drops.\n\nexport const fail = (): never => {\n  throw new Error('x');\n};\n`,
  );
  await writeFile(path.join(dir, 'main.ts'), `import { fail } from './fail.ts';\nfail();\n`);
  bundle = path.join(dir, 'main.mjs');
  await promisify(execFile)('esbuild', [path.join(dir, 'main.ts'), `--outfile=${bundle}`, '--bundle', '--format=esm', '--sourcemap']);
});
afterAll(() => rm(dir, { recursive: true }));

test('a logged error of a bundle shows the file and line of its source', () => {
  let written = '';
  const stack = `Error: x\n    at fail (${pathToFileURL(bundle).href}:3:9)\n    at node:internal/x:1:2`;
  createLogger('content', 'info', { write: (line) => void (written += line) }).error(
    { err: Object.assign(new Error('x'), { stack }) },
    'failed',
  );
  const { err } = JSON.parse(written) as { err: { stack: string } };
  expect(err.stack).toMatch(/at fail \(\S*fail\.ts:4:\d+\)/);
  expect(err.stack).toContain('node:internal/x:1:2');
});

test('a location without a source map is unchanged', () => {
  const stack = `Error: x\n    at f (file:///nowhere/main.mjs:3:9)`;
  expect(withSourceLocations(stack)).toBe(stack);
});
