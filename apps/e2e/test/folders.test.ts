// Which folders of an app may import which others the linter is not told: none may import one that imports it, so that each can be read by itself.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { importsIn, ringsOfFolders, type Import } from '../src/folder-imports.ts';

const APPS = ['analytics', 'bench', 'content', 'dev', 'gateway', 'library', 'publisher'];

test.each(APPS)('no folders of %s import each other', async (app) => {
  expect(ringsOfFolders(await importsOf(app))).toEqual([]);
});

test.each(['library', 'publisher'])('the rules of %s know nothing of its stores', async (app) => {
  const isIn = (folder: string, file: string) => path.posix.dirname(file).split('/').at(-1) === folder;
  const wrong = (await importsOf(app)).filter(({ from, to }) => isIn('domain', from) && isIn('store', to));
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

const rings = (sources: Readonly<Record<string, string>>) => ringsOfFolders(importsIn(new Map(Object.entries(sources))));

test('two folders that import each other are told, with the imports', () => {
  const sources = { 'a/one.ts': "import { two } from '../b/two.ts';", 'b/deep/three.ts': "export * from '../../a/one.ts';" };
  expect(rings(sources)).toEqual(['a, b: a/one.ts imports b/two.ts, and b/deep/three.ts imports a/one.ts']);
});

test('so are several in a ring, a folder and one in it, and two in the same folder', () => {
  expect(
    rings({ 'a/1.ts': "import { two } from '../b/2.ts';", 'b/2.ts': "import '../c/3.ts';", 'c/3.ts': "await import('../a/1.ts');" }),
  ).toEqual(['a, b, c: a/1.ts imports b/2.ts, and b/2.ts imports c/3.ts, and c/3.ts imports a/1.ts']);
  expect(rings({ 'a/1.ts': "import './in/2.ts';", 'a/in/2.ts': "import '../3.ts';" })).toEqual([
    'a, a/in: a/1.ts imports a/in/2.ts, and a/in/2.ts imports a/3.ts',
  ]);
  expect(rings({ 'a/b/1.ts': "import '../c/2.ts';", 'a/c/2.ts': "import '../b/1.ts';" })).toHaveLength(1);
});

test('types, files on top, and neighbours in a folder are no ring', () => {
  expect(rings({ 'a/1.ts': "import type { B } from '../b/2.ts';", 'b/2.ts': "import { a } from '../a/1.ts';" })).toEqual([]);
  expect(rings({ 'a/1.ts': "import { type B } from '../b/2.ts';", 'b/2.ts': "import { a } from '../a/1.ts';" })).toEqual([]);
  expect(rings({ 'a/1.ts': "import { type B, b } from '../b/2.ts';", 'b/2.ts': "import { a } from '../a/1.ts';" })).toHaveLength(1);
  expect(rings({ 'a/1.ts': "import { top } from '../top.ts';", 'top.ts': "import { a } from './a/1.ts';" })).toEqual([]);
  expect(rings({ 'a/1.ts': "import { two } from './2.ts';", 'a/2.ts': "import { one } from './1.ts';" })).toEqual([]);
});

async function importsOf(app: string): Promise<Import[]> {
  const folder = path.join(import.meta.dirname, '../..', app, 'src');
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const sources = await Promise.all(files.map(async (file) => [file, await readFile(path.join(folder, file), 'utf8')] as const));
  return importsIn(new Map(sources));
}
