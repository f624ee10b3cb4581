import type { Quota } from '../quota.ts';

/** An upload is counted when its session begins, whatever becomes of it. Our project's, so for every channel together. */
export const videosInsert: Quota = {
  name: 'videos_insert',
  of: 'app',
  limit: 100,
  window: { dayIn: 'America/Los_Angeles' },
  spentBy: 'call',
  source: 'developers.google.com/youtube/v3/determine_quota_cost (2026-09-15): 100 calls a day, in a bucket of their own',
};
