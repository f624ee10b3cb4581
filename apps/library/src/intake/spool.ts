import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Files on the local disk that bytes wait in until they are known to be media. */
export interface Spool {
  /** Runs `work` with the name of a file that does not exist yet, and removes that file afterwards. */
  withFile<T>(work: (file: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const PREFIX = 'fanfare-library-';

/** Opens a folder of this process's own and removes those that killed processes left behind. */
export async function openSpool(parent = os.tmpdir()): Promise<Spool> {
  for (const name of await readdir(parent)) {
    const [, pid] = /^fanfare-library-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(path.join(parent, name), { recursive: true, force: true });
  }
  const directory = path.join(parent, `${PREFIX}${process.pid}-${randomUUID()}`);
  await mkdir(directory, { mode: 0o700 });
  return {
    async withFile(work) {
      const file = path.join(directory, randomUUID());
      try {
        return await work(file);
      } finally {
        await rm(file, { force: true });
      }
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
