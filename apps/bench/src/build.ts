import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
const apps = ['gateway', 'content', 'library', 'publisher', 'sandbox'];

/**
 * Builds what is measured; nx skips what has not changed.
 * @throws Error when that fails; nx has said why on standard error
 */
export async function build(): Promise<void> {
  const args = ['run-many', '--target=build', `--projects=${apps.join(',')}`, '--outputStyle=static'];
  const child = spawn(process.execPath, [path.join(root, 'node_modules/.bin/nx'), ...args], {
    cwd: root,
    env: { ...process.env, PATH: `${root}/node_modules/.bin:${process.env['PATH']}`, NX_DAEMON: 'false', NX_TUI: 'false' },
    stdio: ['ignore', process.stderr, process.stderr],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The build failed.');
}
