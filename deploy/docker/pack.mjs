// Collects what each image contains: node deploy/docker/pack.mjs <folder> [image …]
// Of each built app its bundles, and of the packages only the files that these load (@vercel/nft), in the places where Node looks for them; beside them
// sbom.cdx.json, which lists the packages (CycloneDX).
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeFileTrace } from '@vercel/nft';

const [target, ...selected] = process.argv.slice(2);
if (!target) throw new Error('usage: node deploy/docker/pack.mjs <folder> [image …]');
const root = process.cwd();

/** Each image, and the app whose bundles it has. */
const images = {
  ...Object.fromEntries(
    ['gateway', 'content', 'library', 'publisher', 'webhooks', 'analytics', 'generation', 'sandbox'].map((app) => [app, app]),
  ),
  admin: 'dev',
};

/** Files that are read by path or loaded by a name that no trace can see. */
const alsoNeeded = {
  generation: fontFiles(),
  admin: ['apps/dev/assets/demo-cafe.jpg'],
};
/** Loaded by `module.register` when tracing is on. */
const tracingHooks = ['node_modules/@opentelemetry/instrumentation/hook.mjs', 'node_modules/import-in-the-middle/hook.mjs'];

const locked = productionPackages();
const cache = {};
for (const [image, app] of Object.entries(images)) {
  if (selected.length > 0 && !selected.includes(image)) continue;
  const dist = `apps/${app}/dist`;
  const bundles = readdirSync(dist).filter((file) => file.endsWith('.mjs'));
  const { fileList } = await nodeFileTrace([...bundles.map((file) => `${dist}/${file}`), ...tracingHooks], { base: root, cache });
  const files = new Set([...fileList, ...(alsoNeeded[image] ?? [])]);
  const folder = path.join(target, image);
  for (const file of files) copy(file, folder);
  cpSync(dist, path.join(folder, dist), { recursive: true });
  writeFileSync(path.join(folder, 'sbom.cdx.json'), JSON.stringify(sbomOf(image, files), null, 1));
  console.log(`${image}: ${files.size} files of ${new Set([...files].map(packageOf)).size - 1} packages`);
}

function copy(file, folder) {
  // A trace also names folders that the code looks into.
  if (!statSync(file).isFile()) return;
  const to = path.join(folder, file);
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(realpathSync(file), to);
}

/** The fonts' files of the one weight that is used, and their tables of characters. */
function fontFiles() {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  return Object.keys(dependencies).flatMap((name) => {
    const folder = `node_modules/${name}`;
    const own = (file) => `${folder}/${file}`;
    if (name === 'twemoji-colr-font') return ['package.json', 'twemoji.woff2'].map(own);
    if (!name.startsWith('@fontsource')) return [];
    const weight = name.startsWith('@fontsource-variable/') ? 'wght' : '400';
    const fonts = readdirSync(own('files')).filter((file) => file.endsWith(`-${weight}-normal.woff2`));
    return ['package.json', 'unicode.json', ...fonts.map((file) => `files/${file}`)].map(own);
  });
}

/** The folder of the package that a file belongs to. */
function packageOf(file) {
  const at = file.lastIndexOf('node_modules/');
  if (at < 0) return '';
  const names = file.slice(at + 'node_modules/'.length).split('/');
  return file.slice(0, at) + path.join('node_modules', ...names.slice(0, names[0].startsWith('@') ? 2 : 1));
}

/** npm's own list of the production packages of the lock file. */
function productionPackages() {
  const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(text);
}

/** The part of npm's list that an image contains, and its Node. Fails if the image contains a package that is not for production. */
function sbomOf(image, files) {
  const manifests = [...new Set([...files].map(packageOf))].filter(Boolean).map((folder) => path.join(folder, 'package.json'));
  const inside = new Set(
    manifests
      .filter((file) => existsSync(file))
      .map((file) => {
        const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
        return `${name}@${version}`;
      }),
  );
  const nameOf = ({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`;
  const components = locked.components.filter((component) => inside.has(nameOf(component)));
  const listed = new Set(components.map(nameOf));
  const missing = [...inside].filter((name) => !listed.has(name));
  if (missing.length > 0) throw new Error(`The image ${image} would contain packages that are not for production: ${missing.join(', ')}`);
  const refs = new Set(components.map((component) => component['bom-ref']));
  const { version } = JSON.parse(readFileSync('node_modules/node/package.json', 'utf8'));
  const node = { type: 'application', 'bom-ref': `node@${version}`, name: 'node', version, purl: `pkg:generic/node@${version}` };
  return {
    ...locked,
    serialNumber: undefined,
    metadata: { component: { type: 'container', 'bom-ref': `fanfare/${image}`, name: `fanfare/${image}` } },
    components: [node, ...components],
    dependencies: locked.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
  };
}
