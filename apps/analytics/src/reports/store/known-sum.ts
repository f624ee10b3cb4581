/** Sums in a row, and by `{name}_known` how many documents had a number. */
export type Sums = Readonly<Record<string, unknown>>;

/** Accumulators that sum fields over documents: null and absent add nothing. */
export const knownSums = (names: readonly string[]): Record<string, object> =>
  Object.fromEntries(
    names.flatMap((name) => [
      [name, { $sum: `$${name}` }],
      [`${name}_known`, { $sum: { $cond: [{ $isNumber: `$${name}` }, 1, 0] } }],
    ]),
  ) as Record<string, object>;

/** The sum; null if no document had a number. */
export const sumIn = (row: Sums, name: string): number | null => (Number(row[`${name}_known`]) > 0 ? Number(row[name]) : null);
