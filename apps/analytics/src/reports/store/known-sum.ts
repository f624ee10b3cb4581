/** Sums, and in `{name}_known` how many documents had a value. */
export type Sums = Readonly<Record<string, unknown>>;

/** Accumulators that sum fields over documents. Null and absent values add nothing. */
export const knownSums = (names: readonly string[]): Record<string, object> =>
  Object.fromEntries(
    names.flatMap((name) => [
      [name, { $sum: `$${name}` }],
      [`${name}_known`, { $sum: { $cond: [{ $isNumber: `$${name}` }, 1, 0] } }],
    ]),
  ) as Record<string, object>;

/** The sum; null if no document had a value. */
export const sumIn = (row: Sums, name: string): number | null => (Number(row[`${name}_known`]) > 0 ? Number(row[name]) : null);
