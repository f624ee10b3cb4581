import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Long enough for what a start left behind to be collected. */
const SETTLE_MS = 5_000;

/**
 * Resident memory of each process while nothing is asked of it, in MB (10^6 bytes); shared pages count in each.
 * @param processes name → process id
 */
export async function idleMemory(processes: Readonly<Record<string, number>>): Promise<Record<string, number>> {
  await wait(SETTLE_MS);
  const measured = await Promise.all(
    Object.entries(processes).map(async ([name, pid]) => [name, (await residentKib(pid)) * 1024] as const),
  );
  return Object.fromEntries(measured.map(([name, bytes]) => [name, Math.round(bytes / 1e6)]));
}

async function residentKib(pid: number): Promise<number> {
  if (process.platform === 'linux') return Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return Number((await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout);
}
