import { usageOf, type Processes } from '../process-usage.ts';
import { atMost } from '../report/table.ts';
import type { Figure } from './figure.ts';
import { idleMemory } from './memory.ts';

const SAMPLE_MS = 50;
const INFRASTRUCTURE = ['mongod', 'kafka'];

/** The maximum growth of processes while something is done, in MB (10^6 bytes) of resident memory. */
export interface Growth {
  readonly mb: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** All processes except MongoDB and Kafka. */
export const oursOf = (processes: Processes): Processes =>
  Object.fromEntries(Object.entries(processes).filter(([name]) => !INFRASTRUCTURE.includes(name)));

export async function growth(processes: Processes, work: () => Promise<unknown>): Promise<Growth> {
  await idleMemory(processes);
  const before = await usageOf(processes);
  const most: Record<string, number> = {};
  const sample = async () => {
    for (const [name, { residentBytes }] of Object.entries(await usageOf(processes))) {
      most[name] = Math.max(most[name] ?? 0, (residentBytes - (before[name]?.residentBytes ?? 0)) / 1e6);
    }
  };
  const timer = setInterval(() => void sample(), SAMPLE_MS);
  const begun = performance.now();
  try {
    await work();
    await sample();
  } finally {
    clearInterval(timer);
  }
  return { mb: most, seconds: (performance.now() - begun) / 1000 };
}

/** One figure for each process. */
export function growthFigures(what: string, { mb, seconds }: Growth, targetMb: number): Figure[] {
  return Object.entries(mb).map(([name, grown]) => ({
    what: `${what} in ${seconds.toFixed(0)} s: ${name} grows by`,
    measured: `${grown.toFixed(0)} MB`,
    target: `≤ ${targetMb} MB`,
    verdict: atMost(targetMb, grown),
  }));
}
