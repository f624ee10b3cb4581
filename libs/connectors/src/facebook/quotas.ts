import { callsOver, type ReadCalls } from '../reading/read-calls.ts';
import { readsPerHour } from '../reading/reads-quota.ts';
import type { Quota } from '../quota.ts';
import { readingRules } from './reading-rules.ts';

export const reels: Quota = {
  name: 'reels',
  of: 'account',
  limit: 30,
  window: { rollingMs: 24 * 3_600_000 },
  spentBy: 'post',
  source: 'developers.facebook.com/docs/video-api/guides/reels-publishing: 30 reels a page in 24 hours, rolling',
};

export const reads = readsPerHour(
  120,
  'developers.facebook.com/docs/graph-api/overview/rate-limiting: calls of an account are limited by its audience, for reading and publishing together',
);

/**
 * The page, its insights by day and by another period, and the people reached. Published posts and reels, with their statistics. A video that is read by its id, and its
 * post.
 */
export const readCalls: ReadCalls = {
  account: (wanted) => 2 + callsOver(wanted, readingRules.daysPerCall) * (wanted.period === 'day' ? 1 : 2),
  list: () => 2,
  posts: (count) => 2 * count,
};
