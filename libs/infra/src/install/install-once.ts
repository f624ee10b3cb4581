import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isAlive } from '../processes/pids.ts';

/**
 * A directory of the cache that is complete or does not exist: it is filled under another name and then renamed. So an interrupted download is
 * started again, and of two processes that fill the same directory at once, the second one discards its own.
 * @param name must change with the version of what is installed
 * @param fill gets the directory to fill
 */
export async function installOnce(cacheDir: string, name: string, fill: (dir: string) => Promise<void>): Promise<string> {
  const target = path.join(cacheDir, name);
  if (await exists(target)) return target;
  await mkdir(cacheDir, { recursive: true });
  await removeBrokenOff(cacheDir);
  const incomplete = path.join(cacheDir, `${INCOMPLETE}${name}-${process.pid}`);
  try {
    await mkdir(incomplete);
    await fill(incomplete);
    await rename(incomplete, target).catch(async (error: unknown) => {
      if (!(await exists(target))) throw error;
    });
  } finally {
    await rm(incomplete, { recursive: true, force: true });
  }
  return target;
}

const INCOMPLETE = '.incomplete-';

async function removeBrokenOff(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    if (name.startsWith(INCOMPLETE) && !isAlive(Number(name.split('-').at(-1))))
      await rm(path.join(cacheDir, name), { recursive: true, force: true });
  }
}

function exists(dir: string): Promise<boolean> {
  return stat(dir).then(
    () => true,
    () => false,
  );
}
