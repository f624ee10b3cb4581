// Runs one of our commands with our own Node, and first installs the locked packages if they are missing or differ from package-lock.json.
// Plain JavaScript without dependencies, because it runs before any are installed: `node apps/dev/bootstrap.mjs start|test|admin|bench …`.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** `help`: shows --help at once. Without it the command itself does, which needs its packages. */
const commands = {
  start: { entry: 'apps/dev/src/start.ts', help: 'start.txt' },
  test: { entry: 'apps/dev/src/test.ts', help: 'test.txt' },
  'test:faults': { entry: 'apps/dev/src/test-faults.ts', help: 'test-faults.txt' },
  'test:schema': { entry: 'apps/dev/src/test-schema.ts', help: 'test-schema.txt' },
  admin: { entry: 'apps/dev/src/admin.ts' },
  bench: { entry: 'apps/bench/src/main.ts' },
  'templates:preview': { entry: 'apps/generation/src/preview-templates.ts', help: 'templates-preview.txt' },
  'deploy:render': { entry: 'deploy/src/render-chart.ts' },
  'deploy:check': { entry: 'deploy/src/check-deploy.ts', help: 'deploy-check.txt' },
  cluster: { entry: 'deploy/src/cluster.ts', help: 'cluster.txt' },
};
/** npm forwards a signal to us although the terminal has sent it to us already: both within this time are one key press. */
const SAME_KEY_PRESS_MS = 500;

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const startedAt = Date.now();

if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(`Fanfare needs Node 20 or newer to start with, and this is ${process.version}: install one from https://nodejs.org.`);
}
const [command, ...args] = process.argv.slice(2);
const { entry, help } = Object.hasOwn(commands, command ?? '') ? commands[command] : {};
if (!entry) fail(`usage: node apps/dev/bootstrap.mjs ${Object.keys(commands).join('|')} …`);
if (args.includes('--help') || args.includes('-h')) showHelp();
if (process.platform === 'win32')
  fail('Fanfare runs on Linux and macOS. On Windows, use WSL 2: https://learn.microsoft.com/windows/wsl/install.');

const installMs = isInstalled() ? 0 : await install();
await runCommand();

/** Reading the help must not wait for packages. */
function showHelp() {
  if (help) {
    process.stdout.write(readFileSync(path.join(root, 'apps/dev/help', help), 'utf8'));
    process.exit(0);
  }
  if (!isInstalled()) {
    fail(
      `npm run ${command} shows its commands and options once the packages are installed: run npm ci (about a minute), then this again.`,
    );
  }
}

function isInstalled() {
  const hash = lockHash();
  const stamp = path.join(root, 'node_modules/.fanfare-lock-hash');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return true;
  if (!holdsLockedPackages()) return false;
  writeFileSync(stamp, hash);
  return true;
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
}

/** Whether the packages that npm has installed match the lock file: after an `npm install` by hand too. */
function holdsLockedPackages() {
  const hidden = path.join(root, 'node_modules/.package-lock.json');
  if (!existsSync(hidden)) return false;
  const installed = JSON.parse(readFileSync(hidden, 'utf8')).packages;
  const locked = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  const differs = ([name, { version, optional }]) =>
    name.startsWith('node_modules/') && (name in installed ? installed[name].version !== version : !optional);
  return !Object.entries(locked).some(differs);
}

async function install() {
  console.error('Installing the locked packages (takes about a minute, and only when they change) …');
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const ticking = setInterval(() => console.error(`  … ${seconds()} s`), 10_000);
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const child = spawn(npm[0], [...npm.slice(1), 'ci', '--include=dev', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const stopForwarding = forwardSignals(child);
  const { code, signal, error } = await ended(child);
  clearInterval(ticking);
  stopForwarding();
  if (signal || stopForwarding.signalled()) fail('Stopped while packages were being installed; the next start installs them again.', 130);
  if (error) fail(`npm cannot be run (${error.message}): it comes with Node, see https://nodejs.org.`);
  if (code !== 0) fail(`${output.trimEnd()}\nThe packages could not be installed: npm ci failed, see above.`);
  isInstalled(); // Writes the stamp.
  console.error(`  installed in ${seconds()} s`);
  return Date.now() - started;
}

async function runCommand() {
  const node = path.join(root, 'node_modules/.bin/node');
  const child = spawn(node, [path.join(root, entry), ...args], {
    // In its own session: Ctrl-C reaches it once, from us, and not also from the terminal. It notices our end by the IPC channel.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, FANFARE_STARTED_AT: String(startedAt), FANFARE_INSTALL_MS: String(installMs) },
  });
  forwardSignals(child);
  const { code, signal, error } = await ended(child);
  if (error) fail(`${node} cannot be run (${error.message}): delete node_modules and start again.`);
  process.exit(code ?? (signal === 'SIGINT' ? 130 : 1));
}

function forwardSignals(child) {
  let signalled = false;
  const listeners = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    let last = -Infinity;
    const listener = () => {
      signalled = true;
      const repeated = performance.now() - last < SAME_KEY_PRESS_MS;
      last = performance.now();
      if (!repeated) child.kill(signal);
    };
    process.on(signal, listener);
    return [signal, listener];
  });
  const stop = () => listeners.forEach(([signal, listener]) => process.off(signal, listener));
  return Object.assign(stop, { signalled: () => signalled });
}

function ended(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

function fail(message, code = 1) {
  console.error(message);
  process.exit(code);
}
