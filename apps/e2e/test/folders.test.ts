// The linter does not know which folders of an app or a library may import each other: none may import one that imports it, so that each can be read
// by itself.
// Also limits how many files a folder may have, and checks that READMEs name the folders.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { PLATFORMS } from '@fanfare/connectors/platform';
import { importsIn, ringsOfFolders, type Import } from '../src/repository/folder-imports.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const projectsIn = async (kind: string) =>
  (await readdir(path.join(ROOT, kind), { withFileTypes: true })).filter((one) => one.isDirectory()).map(({ name }) => `${kind}/${name}`);
const PROJECTS = [...(await projectsIn('apps')), ...(await projectsIn('libs')), 'deploy'];

test.each(PROJECTS)('no folders of %s import each other', async (project) => {
  expect(ringsOfFolders(await importsOf(project))).toEqual([]);
});

/** Folders of similar files: one for each RPC method, collection, built-in template, or platform's operation and rule. */
const ALIKE = [
  /\/(rpc|store|builtin)$/,
  /^apps\/sandbox\/src\/platforms\/[\w-]+$/,
  new RegExp(`^libs/connectors/src/(${PLATFORMS.join('|').replaceAll('_', '-')})$`),
];

test.each(PROJECTS)('no folder of %s has more than 15 files of different kinds', async (project) => {
  const counts = new Map<string, number>();
  for (const file of await sourcesOf(project)) {
    const folder = path.posix.dirname(`${project}/src/${file}`);
    if (!ALIKE.some((alike) => alike.test(folder))) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > 15)).toEqual([]);
});

test.each(['apps/library', 'apps/publisher'])('the rules of %s do not import its stores', async (project) => {
  const isIn = (folder: string, file: string) => path.posix.dirname(file).split('/').at(-1) === folder;
  const wrong = (await importsOf(project)).filter(({ from, to }) => isIn('domain', from) && isIn('store', to));
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

/** A transaction, a timer, or state that outlives a request. */
const OF_USE_CASES =
  /\btransact(ion)?\(|\bset(Timeout|Interval)\(|^(export )?(const|let) \w+( |: [^=]+)= new (\w*Cache|LRU\w*|(Weak)?(Map|Set))\b/m;
const MOST_LINES = 50;

test.each(PROJECTS)('the RPC methods of %s are short, and leave transactions, timers and state to use cases', async (project) => {
  const methods = (await sourcesOf(project)).filter((file) => /(^|\/)rpc\/(?!index\.ts$)[^/]+$/.test(file));
  const texts = await Promise.all(methods.map((file) => readFile(path.join(ROOT, project, 'src', file), 'utf8')));
  const isLong = (text: string) => text.split('\n').length > MOST_LINES;
  expect(methods.filter((_, index) => OF_USE_CASES.test(texts[index] ?? '') || isLong(texts[index] ?? ''))).toEqual([]);
});

/** Where there is no `domain/`, the rules are the files that only compute: not asynchronous, without the context and the database. They own their types. */
const computesOnly = (source: string) => !/\basync\b|\bawait\b|\bPromise\b|context\.ts'|'mongodb'/.test(source);

test.each(['apps/analytics', 'apps/content', 'apps/generation', 'apps/webhooks'])(
  'files of %s that only compute import nothing of stores',
  async (project) => {
    const isStore = (file: string) => path.posix.dirname(file).split('/').includes('store');
    const isRule = (file: string) => file.includes('/') && !isStore(file) && !/^(rpc|consumers)\//.test(file);
    const rules = new Set<string>();
    for (const file of await sourcesOf(project)) {
      const source = await readFile(path.join(ROOT, project, 'src', file), 'utf8');
      if (isRule(file) && computesOnly(source)) rules.add(file);
    }
    expect(rules.size).toBeGreaterThan(5);
    const wrong = (await importsOf(project)).filter(({ from, to }) => rules.has(from) && isStore(to));
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  },
);

const namesIn = (readme: string, folder: string) => new RegExp(`\`(src/)?${folder}(/[^\`]*)?\``).test(readme);
const readmeOf = (project: string) => readFile(path.join(ROOT, project, 'README.md'), 'utf8');
const foldersOf = async (project: string) =>
  [...new Set((await sourcesOf(project)).filter((file) => file.includes('/')).map((file) => file.split('/')[0] ?? ''))].sort();

const SERVICES = ['analytics', 'content', 'gateway', 'generation', 'library', 'publisher', 'sandbox', 'webhooks'].map(
  (app) => `apps/${app}`,
);

test.each(SERVICES)('the README of %s names each of its folders', async (project) => {
  const readme = await readmeOf(project);
  expect((await foldersOf(project)).filter((folder) => !namesIn(readme, folder))).toEqual([]);
});

test('each part of the gateway imports only those before it, in the order in which its README lists them', async () => {
  const order = [...(await readmeOf('apps/gateway')).matchAll(/^\| `src\/([\w-]+)\//gm)].map(([, part = '']) => part);
  expect(order.toSorted()).toEqual(await foldersOf('apps/gateway'));
  const partOf = (file: string) => (file.includes('/') ? order.indexOf(file.split('/')[0] ?? '') : -1);
  const wrong = (await importsOf('apps/gateway')).filter(({ from, to }) => partOf(from) !== -1 && partOf(from) < partOf(to));
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

const rings = (sources: Readonly<Record<string, string>>) => ringsOfFolders(importsIn(new Map(Object.entries(sources))));

test('two folders that import each other are reported with the imports', () => {
  const sources = { 'a/one.ts': "import { two } from '../b/two.ts';", 'b/deep/three.ts': "export * from '../../a/one.ts';" };
  expect(rings(sources)).toEqual(['a, b: a/one.ts imports b/two.ts, and b/deep/three.ts imports a/one.ts']);
});

test('so are several in a ring, a folder and its subfolder, and two in the same folder', () => {
  expect(
    rings({ 'a/1.ts': "import { two } from '../b/2.ts';", 'b/2.ts': "import '../c/3.ts';", 'c/3.ts': "await import('../a/1.ts');" }),
  ).toEqual(['a, b, c: a/1.ts imports b/2.ts, and b/2.ts imports c/3.ts, and c/3.ts imports a/1.ts']);
  expect(rings({ 'a/1.ts': "import './in/2.ts';", 'a/in/2.ts': "import '../3.ts';" })).toEqual([
    'a, a/in: a/1.ts imports a/in/2.ts, and a/in/2.ts imports a/3.ts',
  ]);
  expect(rings({ 'a/b/1.ts': "import '../c/2.ts';", 'a/c/2.ts': "import '../b/1.ts';" })).toHaveLength(1);
});

test('types, and files of one folder, do not form a ring; a file at the top does', () => {
  expect(rings({ 'a/1.ts': "import type { B } from '../b/2.ts';", 'b/2.ts': "import { a } from '../a/1.ts';" })).toEqual([]);
  expect(rings({ 'a/1.ts': "import { type B } from '../b/2.ts';", 'b/2.ts': "import { a } from '../a/1.ts';" })).toEqual([]);
  expect(rings({ 'a/1.ts': "import { type B, b } from '../b/2.ts';", 'b/2.ts': "import { a } from '../a/1.ts';" })).toHaveLength(1);
  expect(rings({ 'a/1.ts': "import { top } from '../top.ts';", 'top.ts': "import { a } from './a/1.ts';" })).toHaveLength(1);
  expect(rings({ 'a/1.ts': "import { two } from './2.ts';", 'a/2.ts': "import { one } from './1.ts';" })).toEqual([]);
});

/** Without tests, which are next to the tested files, generated code, and what `boundaries.test.ts` plants meanwhile. */
async function sourcesOf(project: string): Promise<string[]> {
  const files = await readdir(path.join(ROOT, project, 'src'), { recursive: true });
  const isSource = (file: string) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.split('/').includes('gen');
  return files.filter((file) => isSource(file) && !path.basename(file).startsWith('planted-for-'));
}

async function importsOf(project: string): Promise<Import[]> {
  const folder = path.join(ROOT, project, 'src');
  const sources = await Promise.all(
    (await sourcesOf(project)).map(async (file) => [file, await readFile(path.join(folder, file), 'utf8')] as const),
  );
  return importsIn(new Map(sources));
}
