import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Ensures that this checkout runs once.
 * @returns a function that releases the lock
 * @throws Error if another process of ours has it
 */
export function takeRunLock(dataDir: string): () => void {
  const file = path.join(dataDir, 'start.pid');
  mkdirSync(dataDir, { recursive: true });
  const holder = readHolder(file);
  if (holder !== undefined && isLauncher(holder)) {
    throw new Error(`Fanfare is already running in this folder, as process ${holder}. Stop it with Ctrl-C first, or use it.`);
  }
  rmSync(file, { force: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error('Another process is already starting Fanfare in this folder.', { cause: error });
  }
  return () => rmSync(file, { force: true });
}

function readHolder(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

/** Its command line distinguishes a launcher of ours from an unrelated process that has the same id now. */
function isLauncher(pid: number): boolean {
  return pid !== process.pid && commandLineOf(pid).includes(path.join('apps', 'dev', 'src', 'start.ts'));
}

function commandLineOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
