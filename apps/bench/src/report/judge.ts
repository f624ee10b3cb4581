import type { Figures } from '../sections/compare.ts';
import type { Group, Row } from '../sections/throughput.ts';
import { atLeast, atMost, type Verdict } from './table.ts';

/** The project's targets, as multiples of the baseline in the same run. */
const TARGETS = {
  reads: { rate: 0.7, cpu: 1.6, p99: 1.5 },
  stats: { rate: 0.6 },
  list: { rate: 0.6 },
  creates: { rate: 0.4 },
} as const satisfies Record<Group, { rate: number; cpu?: number; p99?: number }>;
const RATE_WITH_KEY = 0.3;
/** "No events left behind": they are in Kafka this soon after the last response. */
const DRAINED_MS = 1_000;

export interface Verdicts {
  readonly rate: Verdict;
  readonly p99?: Verdict;
  readonly cpu?: Verdict;
  readonly drained?: Verdict;
}

export function judge({ operation, group, floor, ours }: Row): Verdicts {
  const target: { rate: number; cpu?: number; p99?: number } = TARGETS[group];
  const rate = operation.includes('with key') ? RATE_WITH_KEY : target.rate;
  return {
    rate: atLeast(rate, ours.perSecond / floor.perSecond),
    ...(target.p99 !== undefined && { p99: atMost(target.p99, ours.p99Ms / floor.p99Ms) }),
    ...(target.cpu !== undefined && Object.keys(ours.cpuMicros).length > 0 && { cpu: atMost(target.cpu, cpuOf(ours) / cpuOf(floor)) }),
    ...(group === 'creates' && { drained: atMost(DRAINED_MS, ours.drainedMs) }),
  };
}

/** Of all processes together, in microseconds per request. */
export const cpuOf = ({ cpuMicros }: Figures): number => Object.values(cpuMicros).reduce((sum, micros) => sum + micros, 0);
