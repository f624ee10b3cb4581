import { readFile } from 'node:fs/promises';

/** Name → process id. */
export type Processes = Readonly<Record<string, number>>;

export interface Usage {
  /** User and system time since the process began. */
  readonly cpuSeconds: number;
  /** Resident set in bytes; pages that processes share count in each. */
  readonly residentBytes: number;
}

/** `USER_HZ`, the same on every Linux that Node runs on (proc_pid_stat(5)). */
const TICKS_PER_SECOND = 100;

/** What processes have used so far, by name. Empty without /proc. */
export async function usageOf(processes: Processes): Promise<Record<string, Usage>> {
  if (process.platform !== 'linux') return {};
  return Object.fromEntries(await Promise.all(Object.entries(processes).map(async ([name, pid]) => [name, await read(pid)] as const)));
}

async function read(pid: number): Promise<Usage> {
  const [stat, status] = await Promise.all([readFile(`/proc/${pid}/stat`, 'utf8'), readFile(`/proc/${pid}/status`, 'utf8')]);
  // The second field, the program's name, may contain anything, including brackets and spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [userTicks, systemTicks] = [fields[11], fields[12]].map(Number) as [number, number];
  return {
    cpuSeconds: (userTicks + systemTicks) / TICKS_PER_SECOND,
    residentBytes: 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]),
  };
}

/** CPU seconds by process between two readings. */
export function cpuBetween(before: Record<string, Usage>, after: Record<string, Usage>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([name, { cpuSeconds }]) => [name, cpuSeconds - (before[name]?.cpuSeconds ?? 0)]));
}
