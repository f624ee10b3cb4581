import type { Figures } from '../sections/compare.ts';
import type { Row } from '../sections/throughput.ts';
import { cpuOf, judge } from './judge.ts';
import { ratioCell, table } from './table.ts';

const HEAD = [
  '',
  'at a time',
  '/s baseline',
  'ours',
  'ratio  ',
  'target',
  'p50 ms',
  'p95',
  'p99',
  'p99 ratio  ',
  'CPU µs',
  'ratio  ',
  'catches up',
];

/** Processes with fewer microseconds per request are left out of the CPU line. */
const NOTABLE_MICROS = 5;

/** Rates, latencies and CPU per request, ours next to the baseline's; ✗ marks missed targets. */
export function throughputTable(rows: readonly Row[]): string {
  const body = rows.map((row) => {
    const { operation, concurrency, floor, ours } = row;
    const { rate, p99, cpu, drained } = judge(row);
    return [
      operation,
      String(concurrency),
      floor.perSecond.toFixed(0),
      ours.perSecond.toFixed(0),
      ratioCell(rate),
      `≥ ${rate.target}`,
      pair(floor.p50Ms, ours.p50Ms),
      pair(floor.p95Ms, ours.p95Ms),
      pair(floor.p99Ms, ours.p99Ms),
      p99 ? ratioCell(p99) : `${(ours.p99Ms / floor.p99Ms).toFixed(2)}  `,
      `${cpuOf(floor).toFixed(0)} → ${cpuOf(ours).toFixed(0)}`,
      cpu ? ratioCell(cpu) : `${(cpuOf(ours) / cpuOf(floor)).toFixed(2)}  `,
      drained ? `${drained.value.toFixed(0)} ms${drained.met ? '' : ' ✗'}` : '',
    ];
  });
  const cpu = rows.map(({ operation, concurrency, floor, ours }) => [
    operation,
    String(concurrency),
    `floor: ${byProcess(floor)}`,
    `ours: ${byProcess(ours)}`,
  ]);
  return `${table([HEAD, ...body])}\n\nCPU µs a request\n${table(cpu)}`;
}

const pair = (floor: number, ours: number) => `${floor.toFixed(1)} → ${ours.toFixed(1)}`;

function byProcess({ cpuMicros }: Figures): string {
  const notable = Object.entries(cpuMicros).filter(([, micros]) => micros >= NOTABLE_MICROS);
  return notable.map(([name, micros]) => `${name} ${micros.toFixed(0)}`).join(', ');
}
