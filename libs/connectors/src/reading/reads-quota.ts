import type { Quota } from '../quota.ts';

/** The name of the quota that reading the statistics of an account uses; at a platform that has only an app's quota, of that. Each read reserves the calls that it makes at most. */
export const READS = 'reads';
/** The name of the quota that reading uses in addition if the platform also limits our app as a whole. */
export const APP_READS = 'app_reads';

/**
 * How many calls within an hour may read the statistics of one account. If a platform counts reads and posts together, it leaves most of the
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
