/** Sums, and in `{name}_known` how many documents had a value. */
export type Sums = Readonly<Record<string, unknown>>;

/** The sum; null if no document had a value. */
export const sumIn = (row: Sums, name: string): number | null => (Number(row[`${name}_known`]) > 0 ? Number(row[name]) : null);
