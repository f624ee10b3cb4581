// Collects what each image contains: node deploy/docker/pack.mjs <folder> [image …]
// Of each built app its bundles, and of the packages only the files that these load (@vercel/nft), in the places where Node looks for them, and their
// licenses; beside them sbom.cdx.json, which lists the packages (CycloneDX).
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, utimesSync, writeFileSync } from 'node:fs';
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
/** Modules that are loaded by a name that no trace can see: by `module.register` when tracing is on, and by file-type when it reads a file. */
const hiddenModules = {
  all: ['node_modules/@opentelemetry/instrumentation/hook.mjs', 'node_modules/import-in-the-middle/hook.mjs'],
  library: ['node_modules/strtok3/lib/index.js'],
};

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
// A package that looks for something in the current directory, such as the names of all other packages, does not need it.
const trace = { base: root, processCwd: path.resolve(target), cache: {} };
for (const [image, app] of Object.entries(images)) {
  if (selected.length > 0 && !selected.includes(image)) continue;
  const dist = `apps/${app}/dist`;
  const bundles = readdirSync(dist).filter((file) => file.endsWith('.mjs'));
  const entries = [...bundles.map((file) => `${dist}/${file}`), ...hiddenModules.all, ...(hiddenModules[image] ?? [])];
  const traced = await nodeFileTrace(entries, trace);
  const loaded = [...productionFiles(image, traced), ...(alsoNeeded[image] ?? [])];
  const files = new Set([...loaded, ...new Set(loaded.map(packageOf)).values().flatMap(licensesOf)]);
  const folder = path.join(target, image, 'app');
  for (const file of files) copy(file, folder);
  cpSync(dist, path.join(folder, dist), { recursive: true });
  writeFileSync(path.join(folder, 'sbom.cdx.json'), JSON.stringify(sbomOf(image, files), null, 1));
  // The same content makes the same layer, whenever it is built.
  for (const file of ['.', ...readdirSync(folder, { recursive: true })]) utimesSync(path.join(folder, file), 0, 0);
  console.log(`${image}: ${files.size} files of ${new Set([...files].map(packageOf)).size - 1} packages`);
}

/** Without packages for development, which others use if they find them, as in an installation without these. Our bundles must not need any. */
function productionFiles(image, { fileList, reasons }) {
  const isForDevelopment = (file) => lock[packageOf(file)]?.dev === true;
  const unfit = [...fileList]
    .filter(isForDevelopment)
    .filter((file) => [...reasons.get(file).parents].some((parent) => packageOf(parent) === ''));
  if (unfit.length > 0) throw new Error(`The image ${image} needs packages that are not for production: ${unfit.join(', ')}`);
  return [...fileList].filter((file) => !isForDevelopment(file));
}

/** Every copy of a package must contain them. */
function licensesOf(folder) {
  const names = readdirSync(folder || '.').filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  return names.map((name) => path.join(folder, name));
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

/**
 * CycloneDX: the packages of the lock file that an image contains, and its Node. Not by `npm sbom`, whose `--omit dev` also omits production packages
 * that other packages need for development.
 */
function sbomOf(image, files) {
  const folders = [...new Set([...files].map(packageOf))].filter((folder) => folder in lock).sort();
  const { version } = lock['node_modules/node'];
  const node = {
    type: 'application',
    'bom-ref': `pkg:generic/node@${version}`,
    name: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
  };
  // A package may be in several folders.
  const components = new Map(folders.map((folder) => [urlOf(folder), componentOf(folder)]));
  const dependsOn = new Map([...components.keys()].map((ref) => [ref, new Set()]));
  for (const folder of folders) {
    for (const name of Object.keys({ ...lock[folder].dependencies, ...lock[folder].optionalDependencies })) {
      const found = folderOf(name, folder);
      if (found && folders.includes(found)) dependsOn.get(urlOf(folder)).add(urlOf(found));
    }
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'container', 'bom-ref': `fanfare/${image}`, name: `fanfare/${image}` } },
    components: [node, ...components.values()],
    dependencies: [...dependsOn].map(([ref, others]) => ({ ref, dependsOn: [...others].sort() })),
  };
}

function componentOf(folder) {
  const { version, license, integrity = '' } = lock[folder];
  const [algorithm, hash] = integrity.split('-');
  return {
    type: 'library',
    'bom-ref': urlOf(folder),
    name: nameOf(folder),
    version,
    purl: urlOf(folder),
    ...(license && { licenses: [{ expression: license }] }),
    ...(hash && { hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(hash, 'base64').toString('hex') }] }),
  };
}

/** https://github.com/package-url/purl-spec */
function urlOf(folder) {
  return `pkg:npm/${nameOf(folder).replace('@', '%40')}@${lock[folder].version}`;
}

/** The name in the registry, which an alias replaces. */
function nameOf(folder) {
  return lock[folder].name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Where Node finds a package that is loaded from a folder. */
function folderOf(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const folder = path.join(at, 'node_modules', name);
    if (folder in lock) return folder;
    if (at === '') return undefined;
  }
}
