import { callsOver, type ReadCalls } from '../reading/read-calls.ts';
import { readsPerHour } from '../reading/reads-quota.ts';
import { readingRules } from './reading-rules.ts';

/** LinkedIn does not publish its limits, which end at midnight UTC. */
export const reads = readsPerHour(150, 'learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/rate-limits');

/**
 * Of the page: statistics of posts, views and new followers; followers, posts, reach, audience and its four kinds of names. Of posts: statistics of their
 * two kinds, images, videos, and three of each video.
 */
export const readCalls: ReadCalls = {
  account: (wanted) => 3 * callsOver(wanted, readingRules.daysPerCall) + 8,
  list: (pageSize) => 5 + 3 * pageSize,
  posts: (count) => 4 + 4 * count,
};
