import type { Shares } from './reading.ts';

/**
 * Shares of the sum of the buckets that were returned: platforms hide small buckets, so shares of all followers would not add up to 1. Several counts of one bucket are added.
 * @param buckets name and count; those without a count are left out
 * @returns null if nothing was counted
 */
export function sharesOf(buckets: readonly (readonly [bucket: string, count: number | null])[]): Shares {
  const counts = new Map<string, number>();
  for (const [bucket, count] of buckets) if (count !== null) counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  const sum = [...counts.values()].reduce((total, count) => total + count, 0);
  if (sum === 0) return null;
  return Object.fromEntries([...counts].map(([bucket, count]) => [bucket, Math.round((count / sum) * 10_000) / 10_000]));
}
