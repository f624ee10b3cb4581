import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

const workspaceRoot = path.resolve(import.meta.dirname, '../../../..');
const requirements = path.join(import.meta.dirname, 'requirements.txt');

/** Installs Schemathesis once, with pinned dependencies, in the cache of development tools. */
export async function installSchemathesis(): Promise<{ python: string; folder: string; env: NodeJS.ProcessEnv }> {
  const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = path.join(workspaceRoot, '.fanfare', `schemathesis-${version}`);
  if (!existsSync(folder)) {
    const half = `${folder}.${process.pid}`;
    const { status, error } = spawnSync('python3', ['-m', 'pip', 'install', '--quiet', '--target', half, '--requirement', requirements], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (error)
      throw new Error(
        'python3 is needed for Schemathesis, and there is none on the PATH. Install it: apt-get install python3 python3-pip.',
      );
    if (status !== 0)
      throw new Error(
        'Schemathesis could not be installed, see above: it needs Python 3.10 or newer with pip (apt-get install python3-pip).',
      );
    rmSync(folder, { recursive: true, force: true });
    renameSync(half, folder);
  }
  // Nothing is written next to the sources.
  return {
    python: 'python3',
    folder,
    env: { ...process.env, PYTHONPATH: `${folder}:${import.meta.dirname}`, PYTHONDONTWRITEBYTECODE: '1' },
  };
}
