import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isAlive, startTimeOf, stopByPid } from './pids.ts';

interface RunDirClaim {
  readonly runDir: string;
  /** Releases the directory, and removes it unless its data is kept. */
  release(): Promise<void>;
}

interface Owner {
  pid: number;
  startTime: string;
}

const OWNER_FILE = 'owner.json';
const KEPT = 'kept';

/**
 * Reserves the directory in which this process's servers run: `kept`, which only one process at a time may use, or a new one. First stops the servers
 * that killed processes left behind in any of them, and deletes their data unless it is to be kept.
 * @throws Error if another running process uses the directory
 */
export async function claimRunDir(dataDir: string, keepData: boolean, onProgress: (line: string) => void): Promise<RunDirClaim> {
  const root = path.join(dataDir, 'infra');
  await mkdir(root, { recursive: true });
  for (const name of await readdir(root)) await cleanUp(path.join(root, name), name === KEPT, onProgress);

  const runDir = path.join(root, keepData ? KEPT : `run-${process.pid}-${randomUUID().slice(0, 8)}`);
  const ownerFile = path.join(runDir, OWNER_FILE);
  await mkdir(runDir, { recursive: true });
  const owner = await readOwner(runDir);
  if (owner)
    throw new Error(`Another run (process ${owner.pid}) uses the data in ${dataDir}. Stop it first, or use another data directory.`);
  await writeFile(ownerFile, JSON.stringify({ pid: process.pid, startTime: startTimeOf(process.pid) } satisfies Owner));
  return {
    runDir,
    release: () => rm(keepData ? ownerFile : runDir, { recursive: true, force: true }),
  };
}

/** The file with a server's process id while it runs. */
export function pidFileOf(runDir: string, server: string): string {
  return path.join(runDir, `${server}.pid`);
}

async function cleanUp(runDir: string, keepData: boolean, onProgress: (line: string) => void): Promise<void> {
  if (await hasLiveOwner(runDir)) return;
  const files = await readdir(runDir).catch(() => []);
  for (const file of files.filter((name) => name.endsWith('.pid'))) {
    const pid = Number(await readFile(path.join(runDir, file), 'utf8'));
    // The run directory on its command line distinguishes our server from an unrelated process that has the same id now.
    if (await stopByPid(pid, runDir)) onProgress(`stopped ${path.basename(file, '.pid')} (process ${pid}), left behind by an earlier run`);
    await rm(path.join(runDir, file), { force: true });
  }
  await rm(keepData ? path.join(runDir, OWNER_FILE) : runDir, { recursive: true, force: true });
}

async function hasLiveOwner(runDir: string): Promise<boolean> {
  const owner = await readOwner(runDir);
  return owner !== undefined && isAlive(owner.pid) && startTimeOf(owner.pid) === owner.startTime;
}

async function readOwner(runDir: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(path.join(runDir, OWNER_FILE), 'utf8')) as Owner;
  } catch {
    return undefined; // The file is missing, or a killed process wrote only a part of it.
  }
}
