import type { Quota } from '../quota.ts';

/** The name of the quota that reading statistics uses: each read of an account, of a list or of posts reserves one. */
export const READS = 'reads';

/**
 * How often the statistics of one account may be read within an hour. If a platform counts reads and posts together, it leaves most of the
 * platform's limit to publishing.
 */
export const readsPerHour = (limit: number, source: string): Quota => ({
  name: READS,
  of: 'account',
  limit,
  window: { rollingMs: 3_600_000 },
  spentBy: 'call',
  source,
});
