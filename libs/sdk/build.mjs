// Builds the package as it is published: `node libs/sdk/build.mjs [directory]`, by default libs/sdk/dist. `npx nx run sdk:generate` comes before it.
// Both kinds of modules, because a project of CommonJS that is tested by Jest cannot load the other one. Their declarations are the same files twice:
// TypeScript tells the kind by the package.json beside them.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const projectRoot = import.meta.dirname;
const workspaceRoot = path.join(projectRoot, '../..');
const out = path.resolve(process.argv[2] ?? path.join(projectRoot, 'dist'));
const folders = { esm: path.join(out, 'esm'), cjs: path.join(out, 'cjs') };

rmSync(out, { recursive: true, force: true });
mkdirSync(folders.cjs, { recursive: true });

for (const [format, folder] of Object.entries(folders)) {
  await build({
    entryPoints: { index: path.join(projectRoot, 'src/index.ts') },
    outdir: folder,
    bundle: true,
    platform: 'neutral',
    // The library that verifies webhooks is a CommonJS module, and becomes a part of the package.
    mainFields: ['module', 'main'],
    target: 'es2022',
    format,
    logLevel: 'warning',
  });
}

const tsc = path.join(workspaceRoot, 'node_modules/@typescript/native/bin/tsc');
const declarations = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', folders.esm];
execFileSync(process.execPath, [tsc, '-p', path.join(projectRoot, 'tsconfig.build.json'), ...declarations], { stdio: 'inherit' });
// TypeScript leaves the names of our sources in declarations.
for (const file of globSync('**/*.d.ts', { cwd: folders.esm })) {
  const declaration = path.join(folders.esm, file);
  writeFileSync(declaration, readFileSync(declaration, 'utf8').replaceAll(/(["']\.{1,2}\/[^"']*)\.ts(?=["'])/g, '$1.js'));
}
cpSync(folders.esm, folders.cjs, { recursive: true, filter: (source) => !source.endsWith('.js') });
writeFileSync(path.join(folders.cjs, 'package.json'), '{ "type": "commonjs" }\n');

const { name, version, description, license, engines } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8'));
const exportOf = (folder) => ({ types: `./${folder}/index.d.ts`, default: `./${folder}/index.js` });
const published = {
  name,
  version,
  description,
  license,
  type: 'module',
  engines,
  sideEffects: false,
  main: './cjs/index.js',
  types: './cjs/index.d.ts',
  exports: { '.': { import: exportOf('esm'), require: exportOf('cjs') }, './package.json': './package.json' },
};
writeFileSync(path.join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
for (const page of ['README.md', 'GUIDE.md']) copyFileSync(path.join(projectRoot, page), path.join(out, page));
copyFileSync(path.join(workspaceRoot, 'LICENSE'), path.join(out, 'LICENSE'));
