// The settings table in an app's README, or in a page beside it, lists exactly the settings that its config.ts reads.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '../src/workspace.ts';

type Env = Readonly<Record<string, string | undefined>>;
type LoadConfig = (env: Env) => unknown;

const APPS = ['analytics', 'gateway', 'content', 'generation', 'library', 'publisher', 'sandbox', 'webhooks'];

/** What has no default. */
const required: Env = {
  NODE_ENV: 'test',
  KEYRING: `test:${Buffer.alloc(32, 1).toString('base64')}`,
  BASE_URL: 'http://127.0.0.1:4400',
  LIBRARY_HTTP_URL: 'http://127.0.0.1:4422',
  PUBLIC_BASE_URL: 'http://127.0.0.1:4400',
  INTERNAL_BASE_URL: 'http://127.0.0.1:4422',
  MEDIA_URL_SECRET: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
};

const read = (file: string) => readFileSync(path.join(workspaceRoot, file), 'utf8');
const loaderOf = async (app: string): Promise<LoadConfig> =>
  ((await import(path.join(workspaceRoot, `apps/${app}/src/config.ts`))) as { loadConfig: LoadConfig }).loadConfig;

async function settingsOf(app: string): Promise<string[]> {
  const names = new Set<string>();
  const load = await loaderOf(app);
  load(new Proxy(required, { get: (env, name: string) => (names.add(name), env[name]) }));
  return [...names];
}

const settingsPageOf = (app: string): string => {
  const own = `apps/${app}/SETTINGS.md`;
  return read(existsSync(path.join(workspaceRoot, own)) ? own : `apps/${app}/README.md`);
};

/** The rows of the table that is headed `setting`: the settings in the first column, what stands in the second. */
function documentedIn(page: string): { names: string[]; defaults: string }[] {
  const [, table = ''] = /^\| setting .*\n\|[ -|]*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  return table.split('\n').map((row) => {
    const [, first = '', defaults = ''] = row.split('|');
    return { names: [...first.matchAll(/`(\w+)`/g)].map(([, name = '']) => name), defaults };
  });
}

/** The defaults that a row states literally, one for each of its settings or one for all: as code, or as a number. */
function literalsOf({ names, defaults }: { names: string[]; defaults: string }): [string, string][] {
  const stated = [...defaults.matchAll(/(?:`[^`]*`|[^,`])+/g)].map(([text]) => text.trim());
  if (stated.length !== 1 && stated.length !== names.length) return [];
  // `127.0.0.1:4441`, `:4431`: the second is on the same host.
  const [, host = ''] = /^`([^`:]*):\d+`$/.exec(stated[0] ?? '') ?? [];
  return names.flatMap((name, index) => {
    const [, code, number] = /^(?:`([^`]*)`|(\d+))$/.exec(stated[stated.length === 1 ? 0 : index] ?? '') ?? [];
    const value = code?.startsWith(':') ? host + code : (code ?? number);
    return value === undefined || /^[A-Z_]+$/.test(value) ? [] : [[name, value]];
  });
}

test.each(APPS)('the settings of %s are documented, each that it reads', async (app) => {
  const settings = await settingsOf(app);
  expect(settings).toContain('LOG_LEVEL');
  const documented = documentedIn(settingsPageOf(app)).flatMap(({ names }) => names);
  expect(documented.toSorted()).toEqual(settings.toSorted());
});

test.each(APPS)('the defaults of %s are documented as they are', async (app) => {
  const load = await loaderOf(app);
  const usual = load(required);
  const stated = documentedIn(settingsPageOf(app)).flatMap(literalsOf);
  expect(stated.length).toBeGreaterThan(3);
  for (const [name, value] of stated) expect({ [name]: load({ ...required, [name]: value }) }).toEqual({ [name]: usual });
});

test.each(APPS)('the README of %s says how it is started by hand', (app) => {
  expect(read(`apps/${app}/README.md`)).toMatch(new RegExp(`nx run ${app}:build[\\s\\S]*apps/${app}/start\\.sh`));
});
