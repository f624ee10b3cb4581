import type { Figure } from '../sections/figure.ts';
import { table } from './table.ts';

export function figuresTable(subject: string, figures: readonly Figure[]): string {
  return table([
    [subject, 'measured', 'target'],
    ...figures.map(({ what, measured, target, verdict }) => [what, `${measured}${verdict.met ? '  ' : ' ✗'}`, target]),
  ]);
}
