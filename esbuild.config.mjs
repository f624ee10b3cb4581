// Builds one app: `node esbuild.config.mjs apps/content` → apps/content/dist/main.mjs.
// Our own libraries are bundled in; npm packages stay outside, because tracing can only instrument modules that are loaded by name. Packages of which nothing
// is used are not loaded: no package is imported only for its side effects.
import { build } from 'esbuild';
import { copyFileSync, cpSync, existsSync } from 'node:fs';
import path from 'node:path';

const projectRoot = process.argv[2];
if (!projectRoot) throw new Error('usage: node esbuild.config.mjs <project root>');

const npmPackagesStayOutside = {
  name: 'npm-packages-stay-outside',
  setup(b) {
    b.onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) =>
      kind === 'entry-point' || name.startsWith('@fanfare/') ? undefined : { path: name, external: true, sideEffects: false },
    );
  },
};

const entryPoints = {};
// The process of an app, and others beside it: one that it starts, and those that an operator or an upgrade does.
for (const name of ['main', 'worker', 'move-blobs', 'migrate', 'operate']) {
  const entry = path.join(projectRoot, `src/${name}.ts`);
  if (existsSync(entry)) entryPoints[name] = entry;
}
const tracing = 'libs/runtime/src/telemetry/tracing.ts';
if (existsSync(tracing)) entryPoints.tracing = tracing;

await build({
  entryPoints,
  outdir: path.join(projectRoot, 'dist'),
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // V8 keeps the text of what it runs: less than half of it is left. Places in logs are told by the source map.
  minifyWhitespace: true,
  legalComments: 'none',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
  plugins: [npmPackagesStayOutside],
});

// What gRPC reflection tells of; `@fanfare/contracts/descriptors` looks for it beside the bundle.
copyFileSync('libs/contracts/descriptors.binpb', path.join(projectRoot, 'dist/descriptors.binpb'));

// Served as it is.
const openapi = path.join(projectRoot, 'openapi.json');
if (existsSync(openapi)) copyFileSync(openapi, path.join(projectRoot, 'dist/openapi.json'));

// Files that the docs page serves.
const docs = path.join(projectRoot, 'src/pages/docs/gen');
if (existsSync(docs)) cpSync(docs, path.join(projectRoot, 'dist/docs'), { recursive: true });
