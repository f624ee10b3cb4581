import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DomainError } from '@fanfare/errors';

/** Temporary files on the local disk. */
export interface Spool {
  /**
   * Calls `work` with the name of a new file, and deletes that file afterwards.
   * @throws DomainError internal_error if the disk is nearly full, so that running work still has space
   */
  withFile<T>(work: (file: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const PREFIX = 'fanfare-library-';
const MIN_FREE_BYTES = 256 * 1024 * 1024;

/** Directories of this process. */
const ours = new Set<string>();

/**
 * Creates a directory for this process, and deletes those of killed processes.
 * @param parent must not be shared with other machines, whose processes may have the same ids
 */
export async function openSpool(parent = os.tmpdir(), minFreeBytes = MIN_FREE_BYTES): Promise<Spool> {
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    const [, pid] = /^fanfare-library-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isInUse(name, Number(pid))) await rm(path.join(parent, name), { recursive: true, force: true });
  }
  const name = `${PREFIX}${process.pid}-${randomUUID()}`;
  const directory = path.join(parent, name);
  ours.add(name);
  await mkdir(directory, { mode: 0o700 });
  return {
    async withFile(work) {
      const { bavail, bsize } = await statfs(directory);
      if (bavail * bsize < minFreeBytes) {
        throw new DomainError('internal_error', 'There is no disk space for uploads at the moment. Retry later.', {
          retryAfterSeconds: 30,
        });
      }
      const file = path.join(directory, randomUUID());
      try {
        return await work(file);
      } finally {
        await rm(file, { force: true });
      }
    },
    async close() {
      await rm(directory, { recursive: true, force: true });
      ours.delete(name);
    },
  };
}

/** In a container, a restarted process has the same id as the killed one. */
function isInUse(name: string, pid: number): boolean {
  return pid === process.pid ? ours.has(name) : isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
