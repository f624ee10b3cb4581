import type { ReadCalls } from '../reading/read-calls.ts';
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

/** Of 10,000 units a day, which reading and publishing share. */
export const reads: Quota = {
  name: READS,
  of: 'app',
  limit: 6_000,
  window: { dayIn: 'America/Los_Angeles' },
  spentBy: 'call',
  source: 'developers.google.com/youtube/v3/determine_quota_cost (2026-09-15): 10,000 units a day, 1 for each list',
};

/** Reports of YouTube Analytics have a quota of their own. */
export const readCalls: ReadCalls = { account: () => 1, list: () => 3, posts: () => 1 };
