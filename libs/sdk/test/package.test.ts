import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startScriptedApi, type ScriptedApi } from './scripted-api.ts';

const run = promisify(execFile);
const library = path.join(import.meta.dirname, '..');
const nodeModules = path.join(library, '../../node_modules');

const PROGRAM = `
import { createFanfare, FanfareError, SDK_VERSION, type Post } from '@fanfare/sdk';
const main = async (): Promise<void> => {
  const { posts } = createFanfare({ baseUrl: process.env.FANFARE_URL ?? '', apiKey: process.env.FANFARE_API_KEY });
  const post: Post = await posts.waitUntilPublished({ id: 'p', business_id: 'b' });
  const error: unknown = await posts.get('b', 'gone').catch((thrown: unknown) => thrown);
  console.log(post.publish_results[0]?.status, error instanceof FanfareError && error.code, SDK_VERSION);
};
void main();
`;
/** What a browser's project has: no process. */
const PAGE = `
import { createFanfare, type Post } from '@fanfare/sdk';
export const load = (baseUrl: string): Promise<Post> => createFanfare({ baseUrl }).posts.get('b', 'p');
`;
const strict = {
  target: 'es2022',
  lib: ['es2022'],
  types: ['node'],
  typeRoots: [path.join(nodeModules, '@types')],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
};

let folder: string;
let packed: { filename: string; version: string; files: { path: string }[] };
let projects: Record<'module' | 'commonjs', string>;
let api: ScriptedApi;
beforeAll(async () => {
  api = await startScriptedApi();
  folder = await mkdtemp(path.join(os.tmpdir(), 'fanfare-sdk-'));
  await run(process.execPath, [path.join(library, 'build.mjs'), path.join(folder, 'package')]);
  const { stdout } = await run('npm', ['pack', './package', '--json'], { cwd: folder });
  [packed] = JSON.parse(stdout) as [typeof packed];
  projects = { module: await createProject('module'), commonjs: await createProject('commonjs') };
});
afterAll(async () => {
  await api.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A new project with the package in it, installed without a network. */
async function createProject(type: 'module' | 'commonjs'): Promise<string> {
  const project = await mkdtemp(path.join(folder, `${type}-`));
  await writeFile(path.join(project, 'package.json'), JSON.stringify({ name: 'customer', version: '1.0.0', type }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', path.join(folder, packed.filename)], { cwd: project });
  return project;
}

/** Compiles files into a folder of their own and returns it; fails with what the compiler says. */
async function compile(project: string, files: Record<string, string>, compilerOptions: object, compiler = 'typescript'): Promise<string> {
  const sources = await mkdtemp(path.join(project, 'src-'));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(sources, name), text);
  const config = { compilerOptions: { ...strict, rootDir: '.', outDir: 'out', ...compilerOptions }, files: Object.keys(files) };
  await writeFile(path.join(sources, 'tsconfig.json'), JSON.stringify(config));
  await run(process.execPath, [path.join(nodeModules, compiler, 'bin/tsc'), '-p', sources]).catch((error: { stdout: string }) => {
    throw new Error(error.stdout);
  });
  return path.join(sources, 'out');
}

/** Every program that our documents show: of the README, the guide, and the API's description. */
async function examples(): Promise<Record<string, string>> {
  const pages = await Promise.all(['README.md', 'GUIDE.md'].map((page) => readFile(path.join(library, page), 'utf8')));
  const description = JSON.parse(await readFile(path.join(library, '../../apps/gateway/openapi.json'), 'utf8')) as Description;
  const programs = [...pages, description.info.description].flatMap((text) =>
    [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code),
  );
  const samples = Object.values(description.paths).flatMap((byMethod) =>
    Object.values(byMethod).flatMap(({ 'x-codeSamples': given = [] }) => given.map(({ source }) => source)),
  );
  return Object.fromEntries([...programs, ...samples].map((code, at) => [`example-${at}.ts`, code]));
}

interface Description {
  info: { description: string };
  paths: Record<string, Record<string, { 'x-codeSamples'?: { source: string }[] }>>;
}

test('holds what customers need, and none of our own files', () => {
  const names = packed.files.map((file) => file.path);
  expect(names).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'GUIDE.md', 'package.json', 'esm/index.js', 'cjs/index.js']));
  expect(
    names.filter(
      (name) => !/^(LICENSE|README\.md|GUIDE\.md|package\.json|cjs\/package\.json|(cjs|esm)\/(index\.js|.*\.d\.ts))$/.test(name),
    ),
  ).toEqual([]);
});

test.each([
  ['module', 'nodenext', 'nodenext', 'typescript'],
  ['module', 'esnext', 'bundler', '@typescript/native'],
  ['commonjs', 'nodenext', 'nodenext', '@typescript/native'],
  ['commonjs', 'commonjs', 'bundler', 'typescript'],
] as const)(
  'compiles and runs in a new project of type %s, compiled to %s and resolved by %s, by %s',
  async (type, module, moduleResolution, compiler) => {
    const out = await compile(projects[type], { 'main.ts': PROGRAM }, { module, moduleResolution }, compiler);
    api.reply(
      { body: { publish_results: [{ status: 'success' }] } },
      { status: 404, body: { code: 'resource_not_found', detail: 'Gone.' } },
    );
    const env = { ...process.env, FANFARE_URL: api.baseUrl, FANFARE_API_KEY: 'fk_test_1' };
    const { stdout } = await run(process.execPath, [path.join(out, 'main.js')], { env });
    expect(stdout).toBe(`success resource_not_found ${packed.version}\n`);
    expect(api.received[0]?.headers['user-agent']).toBe(`fanfare-sdk/${packed.version} node/${process.versions.node}`);
  },
);

test('every example of the README, the guide and of the documentation compiles', async () => {
  const files = await examples();
  expect(Object.keys(files).length).toBeGreaterThan(80);
  // There are a hundred: the fast compiler.
  await compile(projects.module, files, { module: 'nodenext' }, '@typescript/native');
});

test('a page of a browser compiles, without the types of Node', async () => {
  await compile(projects.module, { 'page.ts': PAGE }, { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] });
});
