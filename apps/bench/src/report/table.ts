/** Columns as wide as necessary, the first one left-aligned and the others right-aligned. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)), []);
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Whether a figure meets its target. */
export interface Verdict {
  readonly value: number;
  readonly target: number;
  readonly met: boolean;
}

export const atLeast = (target: number, value: number): Verdict => ({ value, target, met: value >= target });
export const atMost = (target: number, value: number): Verdict => ({ value, target, met: value <= target });

/** The ratio, marked with ✗ if it misses its target. */
export const ratioCell = ({ value, met }: Verdict): string => `${value.toFixed(2)}${met ? '  ' : ' ✗'}`;
