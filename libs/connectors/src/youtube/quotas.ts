import { READS } from '../reading/reads-quota.ts';
import type { Quota } from '../quota.ts';

/** An upload counts when its session starts, whatever its result. The quota is our project's, shared by all channels. */
export const videosInsert: Quota = {
  name: 'videos_insert',
  of: 'app',
  limit: 100,
  window: { dayIn: 'America/Los_Angeles' },
  spentBy: 'call',
  source: 'developers.google.com/youtube/v3/determine_quota_cost (2026-09-15): 100 calls a day, in a bucket of their own',
};

/** Of 10,000 units a day, which reading and publishing share; a read takes up to three. */
export const reads: Quota = {
  name: READS,
  of: 'app',
  limit: 2_000,
  window: { dayIn: 'America/Los_Angeles' },
  spentBy: 'call',
  source: 'developers.google.com/youtube/v3/determine_quota_cost (2026-09-15): 10,000 units a day, 1 for each list',
};
