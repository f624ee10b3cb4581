import { setTimeout as wait } from 'node:timers/promises';
import { usageOf, type Processes } from '../process-usage.ts';

/** Long enough to collect the garbage of earlier work. */
const SETTLE_MS = 5_000;

/** Resident memory of each process after a while without work, in MB (10^6 bytes); shared pages count in each. */
export async function idleMemory(processes: Processes): Promise<Record<string, number>> {
  await wait(SETTLE_MS);
  return residentMb(processes);
}

export async function residentMb(processes: Processes): Promise<Record<string, number>> {
  const usage = Object.entries(await usageOf(processes));
  return Object.fromEntries(usage.map(([name, { residentBytes }]) => [name, Math.round(residentBytes / 1e6)]));
}
