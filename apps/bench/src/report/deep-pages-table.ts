import type { DeepPages } from '../sections/deep-pages.ts';
import { cpuOf } from './judge.ts';
import { atMost, ratioCell, table } from './table.ts';

/** "The same cost", with a margin for noise. */
const SAME = 1.2;

export function deepPagesTable({ posts, first, last }: DeepPages): string {
  const line = (name: string, before: number, after: number) => [
    name,
    before.toFixed(1),
    after.toFixed(1),
    ratioCell(atMost(SAME, after / before)),
  ];
  return table([
    [`pages of 100 out of ${posts} posts`, 'first', 'last', 'ratio  '],
    line('p50 ms', first.p50Ms, last.p50Ms),
    line('p99 ms', first.p99Ms, last.p99Ms),
    line('CPU µs', cpuOf(first), cpuOf(last)),
  ]);
}
