import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Connector } from '../src/connector.ts';
import { connectors } from '../src/registry.ts';
import { describeContract } from './describe-contract.ts';
import { murmur } from './fixtures/ninth-platform/index.ts';
import { conversations } from './fixtures/ninth-platform/test/conversations.ts';
import { errors } from './fixtures/ninth-platform/test/errors.ts';
import { walk } from './conversations/walk.ts';
import { aContent } from './a-content.ts';

// What ADDING-A-PLATFORM.md promises of a ninth platform: the folder that it quotes fulfils the contract, two lines and its name in the list add it, and a
// line that is forgotten does not compile.

const root = path.join(import.meta.dirname, '../../..');
const ours = path.join(import.meta.dirname, 'fixtures/ninth-platform');
const sandboxes = path.join(root, 'apps/sandbox/test/fixtures/ninth-platform');

// Our requests go to the hosts of a platform that is registered, here for this file alone.
(connectors as Record<string, Connector>)['murmur'] = murmur;
describeContract('murmur', murmur, conversations);
afterAll(() => void delete (connectors as Record<string, Connector>)['murmur']);

test.each(errors.rows.map((row) => [row.status, row.ends, row] as const))('its error %d: %s', async (_status, ends, { status, body }) => {
  const classes = { waits: 'rate_limited', reconciles: 'transient' } as const;
  await expect(walk(murmur, { content: aContent(), responses: [{ status, json: body }] })).rejects.toMatchObject({
    class: ends === 'waits' || ends === 'reconciles' ? classes[ends] : ends,
    effect: ends === 'reconciles' ? 'unknown' : 'rejected',
  });
});

const sourcesIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.ts'));

/** A file of the fixture as it stands in a folder of its own in `src/`. */
const inPlace = (file: string) =>
  readFileSync(file, 'utf8')
    .replaceAll("'../../../src/platforms/", "'../")
    .replaceAll(/'\.\.\/\.\.\/\.\.\/src\//g, file.startsWith(sandboxes) ? "'../../" : "'../")
    .replace("import type { Platform } from '../platform.ts';\n", '')
    .replace(' as Platform,', ',');

test('the guide quotes the files that are tried here', () => {
  const guide = readFileSync(path.join(import.meta.dirname, '../ADDING-A-PLATFORM.md'), 'utf8');
  const quoted = [...guide.matchAll(/```ts\n\/\/ src\/murmur\/(\S+)\n([\s\S]*?)```/g)];
  expect(quoted.map(([, name]) => name)).toEqual(['rules.ts', 'publish.ts']);
  for (const [, name = '', text] of quoted) expect(text).toBe(inPlace(path.join(ours, name)));
});

describe('the compiler', () => {
  let copy: string;
  beforeAll(() => {
    copy = mkdtempSync(path.join(tmpdir(), 'fanfare-ninth-'));
    for (const folder of ['libs/connectors/src', 'apps/sandbox/src']) {
      const filter = (file: string) => !file.endsWith('.test.ts') && path.basename(file) !== 'test';
      cpSync(path.join(root, folder), path.join(copy, folder), { recursive: true, filter });
    }
    for (const name of ['libs/connectors/package.json', 'apps/sandbox/package.json', 'tsconfig.base.json']) {
      cpSync(path.join(root, name), path.join(copy, name));
    }
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    const paths = { '@fanfare/connectors/platform': ['./libs/connectors/src/platform.ts'] };
    const files = ['libs/connectors/src/index.ts', 'libs/connectors/src/preflight.ts', 'apps/sandbox/src/main.ts'];
    writeFileSync(path.join(copy, 'tsconfig.json'), JSON.stringify({ extends: './tsconfig.base.json', compilerOptions: { paths }, files }));
    place(ours, 'libs/connectors/src/murmur');
    insert('libs/connectors/src/platform.ts', '\n  google_business: googleBusinessRules,', '\n  murmur: murmurRules,');
    insert('libs/connectors/src/platform.ts', "from './linkedin/rules.ts';", "\nimport { murmurRules } from './murmur/rules.ts';");
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  function place(from: string, to: string): void {
    mkdirSync(path.join(copy, to));
    for (const name of sourcesIn(from)) writeFileSync(path.join(copy, to, name), inPlace(path.join(from, name)));
  }

  function insert(name: string, after: string, added: string): void {
    const file = path.join(copy, name);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(after);
    writeFileSync(file, text.replace(after, after + added));
  }

  /** What the compiler says, a line for each mistake. */
  function mistakes(): string[] {
    const tsc = path.join(root, 'node_modules/@typescript/native/bin/tsc');
    expect(existsSync(tsc)).toBe(true);
    try {
      execFileSync(process.execPath, [tsc, '-p', copy, '--pretty', 'false'], { cwd: copy, encoding: 'utf8', stdio: 'pipe' });
      return [];
    } catch (error) {
      const said = (error as { stdout: string }).stdout;
      return said.split('\n').filter((line) => /: error TS\d+/.test(line));
    }
  }

  test('rejects a name that is in neither registry, and accepts it with a line in each', () => {
    // Without an entry others cannot be read from the registry either: the cause is the missing property (TS2741).
    const missing = mistakes().filter((line) => line.includes('error TS2741'));
    expect(missing.map((line) => line.replace(/\(.*/, '')).sort()).toEqual([
      'apps/sandbox/src/platforms/registry.ts',
      'libs/connectors/src/registry.ts',
    ]);
    for (const line of missing) expect(line).toContain('murmur');

    insert('libs/connectors/src/registry.ts', '\n  linkedin,', '\n  murmur,');
    insert('libs/connectors/src/registry.ts', "from './linkedin/index.ts';", "\nimport { murmur } from './murmur/index.ts';");
    place(sandboxes, 'apps/sandbox/src/platforms/murmur');
    insert('apps/sandbox/src/platforms/registry.ts', '\n  linkedin,', '\n  murmur,');
    insert('apps/sandbox/src/platforms/registry.ts', "from './linkedin/index.ts';", "\nimport { murmur } from './murmur/index.ts';");
    expect(mistakes()).toEqual([]);
  });
});
