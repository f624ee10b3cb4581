// eslint silently skips the module boundaries if it finds no project graph of Nx. So this test plants violations in the sources, and lints them
// as CI does.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const workspaceRoot = path.join(import.meta.dirname, '../../..');
const BOUNDARIES = '@nx/enforce-module-boundaries';
const IMPORTS = 'no-restricted-imports';
const SYNTAX = 'no-restricted-syntax';
const UNDICI = '@typescript-eslint/no-restricted-imports';

/** The violation, its file, and one of the rules that must report it. */
const violations = [
  [
    'an app that imports another app by its name',
    'apps/content/src',
    "import '@fanfare/gateway/src/accounts/keys/api-key.ts';",
    BOUNDARIES,
  ],
  ['an app that imports another app by its path', 'apps/content/src', "import '../../gateway/src/accounts/keys/api-key.ts';", BOUNDARIES],
  ['a library that imports an app', 'libs/rpc/src', "import '../../../apps/content/src/config.ts';", BOUNDARIES],
  ['an adapter that imports another adapter', 'libs/rpc/src', "import '@fanfare/mongo';", BOUNDARIES],
  ['an app that imports what is for tests', 'apps/content/src', "import '@fanfare/testing';", BOUNDARIES],
  ['a service that imports express: the rule on modules', 'apps/content/src', "import 'express';", BOUNDARIES],
  ['a service that imports express: the rule on imports', 'apps/content/src', "import 'express';", IMPORTS],
  ['a service that imports kafkajs', 'apps/content/src', "import 'kafkajs';", IMPORTS],
  ['the gateway importing kafkajs', 'apps/gateway/src', "import 'kafkajs';", IMPORTS],
  ['a library other than events that imports kafkajs', 'libs/rpc/src', "import 'kafkajs';", IMPORTS],
  ["the gateway's framework importing its API", 'apps/gateway/src/http', "import '../api/routes.ts';", IMPORTS],
  ['the same for a type, from deeper down', 'apps/gateway/src/http/openapi', "import type {} from '../../api/routes.ts';", IMPORTS],
  ["the gateway's accounts importing what is made on them", 'apps/gateway/src/accounts', "import '../http/route.ts';", IMPORTS],
  ["the gateway's API importing the inside of its accounts", 'apps/gateway/src/api', "import '../accounts/audit/audit.ts';", IMPORTS],
  ['the same at the top', 'apps/gateway/src', "import './accounts/audit/audit.ts';", IMPORTS],
  ['the environment read outside config.ts', 'apps/content/src/posts', 'export const home = process.env.HOME;', SYNTAX],
  ['the environment read in a library', 'libs/rpc/src', "export const home = process.env['HOME'];", SYNTAX],
  [
    'a collection opened outside store/',
    'apps/content/src/rpc',
    "import type { Db } from 'mongodb';\nexport const posts = (db: Db) => db.collection('posts');",
    SYNTAX,
  ],
  ["a machine's own time in a service", 'apps/content/src/posts', 'export const at = new Date();', SYNTAX],
  ["a machine's own time in a store", 'apps/publisher/src/deliveries/store', 'export const at = Date.now();', SYNTAX],
  ['the global fetch', 'apps/publisher/src', "export const response = fetch('http://library/');", 'no-restricted-globals'],
  [
    'the fetch of globalThis',
    'apps/sandbox/src',
    "export const response = globalThis.fetch('http://library/');",
    'no-restricted-properties',
  ],
  ['a request of undici without an agent', 'apps/sandbox/src', "import { request } from 'undici';\nexport const ask = request;", UNDICI],
] as const;

/** Permitted code in the right places: a rule that rejected everything would prove nothing. */
const allowed = [
  ['an app that imports an adapter', 'apps/content/src', "import '@fanfare/mongo';"],
  ['the gateway importing express', 'apps/gateway/src', "import 'express';"],
  ["the gateway's API importing its framework", 'apps/gateway/src/api', "import '../http/route.ts';"],
  ["the gateway's API importing its accounts", 'apps/gateway/src/api', "import '../accounts/index.ts';"],
  ["the gateway's accounts importing one another", 'apps/gateway/src/accounts/keys', "import '../audit/audit.ts';"],
  [
    'a collection opened in store/',
    'apps/content/src/posts/store',
    "import type { Db } from 'mongodb';\nexport const posts = (db: Db) => db.collection('posts');",
  ],
  ["the database's time", 'apps/content/src/posts', "import { currentTime } from '@fanfare/runtime';\nexport const at = currentTime();"],
  [
    'the pinned fetch',
    'apps/publisher/src',
    "import { fetch } from '@fanfare/runtime/http-client';\nexport const response = fetch('http://library/');",
  ],
] as const;

const PLANTED = 'planted-for-the-boundaries-test';
const own = randomBytes(4).toString('hex');
const planted = [...violations, ...allowed].map(([what, folder, source], n) => ({
  what,
  source,
  file: path.join(workspaceRoot, folder, `${PLANTED}-${own}-${n}.ts`),
}));
const folders = [...new Set(planted.map(({ file }) => path.dirname(file)))];

/** Planted file → the rules that were reported for it. */
const reported = new Map<string, string[]>();

beforeAll(async () => {
  await weed(); // Files that a killed run left behind.
  try {
    await Promise.all(planted.map(({ file, source }) => writeFile(file, `${source}\n`)));
    const results = await lint(planted.map(({ file }) => file));
    for (const { what, file } of planted) {
      const result = results.find(({ filePath }) => filePath === file);
      if (result)
        reported.set(
          what,
          result.messages.map(({ ruleId, message }) => ruleId ?? message),
        );
    }
  } finally {
    await weed();
  }
});

test.each(violations)('lint catches %s', (what, _folder, _source, rule) => {
  expect(reported.get(what)).toContain(rule);
});

test.each(allowed)('lint allows %s', (what) => {
  expect(reported.get(what)).toEqual([]);
});

/** As `npm run lint` does, for these files only. Generated code and Nx's graph exist already, and other tests are reading them. */
async function lint(files: readonly string[]): Promise<{ filePath: string; messages: { ruleId: string | null; message: string }[] }[]> {
  const eslint = [path.join(workspaceRoot, 'node_modules/.bin/eslint'), '--max-warnings', '0', '--format', 'json'];
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) =>
    execFile(
      process.execPath,
      [...eslint, ...files],
      { cwd: workspaceRoot, env: { ...process.env, NX_DAEMON: 'false' }, maxBuffer: 256 << 20 },
      (_failed, out, err) => resolve({ stdout: out, stderr: err }),
    ),
  );
  if (!stdout.startsWith('[')) throw new Error(`Nothing was linted.\n${stderr}\n${stdout.slice(-3_000)}`);
  return JSON.parse(stdout) as Awaited<ReturnType<typeof lint>>;
}

async function weed() {
  for (const folder of folders) {
    const names = (await readdir(folder)).filter((name) => name.startsWith(PLANTED));
    await Promise.all(names.map((name) => rm(path.join(folder, name), { force: true })));
  }
}
