import type { Figure } from '../sections/library/figure.ts';
import { table } from './table.ts';

export function libraryTable(figures: readonly Figure[]): string {
  return table([
    ['library', 'measured', 'target'],
    ...figures.map(({ what, measured, target, verdict }) => [what, `${measured}${verdict.met ? '  ' : ' ✗'}`, target]),
  ]);
}
