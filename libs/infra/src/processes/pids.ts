import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { until } from '../until.ts';

/** How long a server may take to stop before it is killed. Kafka's controlled shutdown takes 1-3 s. */
export const STOP_LIMIT_MS = 20_000;

/** Whether a process with this id runs; a zombie does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !/^\d+ \(.*\) [ZX]/s.test(procFile(pid, 'stat') ?? '');
}

/**
 * When a process started, in the system's own notation: together with the id it identifies a process for good. Empty if the process does not exist.
 */
export function startTimeOf(pid: number): string {
  const stat = procFile(pid, 'stat');
  // Field 22 of /proc/<pid>/stat; the second field, in parentheses, may contain spaces.
  return stat ? (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '') : ps(pid, 'lstart=');
}

/**
 * Stops a process: SIGTERM, after a limit SIGKILL; waits until it has ended.
 * @param marker must occur in its command line; otherwise the process is not touched
 * @returns whether there was such a process
 */
export async function stopByPid(pid: number, marker: string): Promise<boolean> {
  if (!(pid > 1) || !isAlive(pid) || !commandLineOf(pid).includes(marker)) return false;
  const ended = (what: string, limitMs: number) =>
    until(what, limitMs, async () => {
      if (isAlive(pid)) throw new Error('it is still running');
    });
  process.kill(pid, 'SIGTERM');
  await ended('', STOP_LIMIT_MS).catch(async () => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await ended(`Process ${pid} cannot be killed`, STOP_LIMIT_MS);
  });
  return true;
}

function commandLineOf(pid: number): string {
  return procFile(pid, 'cmdline')?.replaceAll('\0', ' ') ?? ps(pid, 'command=');
}

/** Undefined on systems without /proc, and for processes that have ended. */
function procFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

function ps(pid: number, column: string): string {
  try {
    return execFileSync('ps', ['-ww', '-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
