/**
 * The smallest value that at least `percent` of all values do not exceed (nearest rank).
 * @throws RangeError if there are no values
 */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('there are no values');
  return value;
}
