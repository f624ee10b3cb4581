import { callsOver, type ReadCalls } from '../reading/read-calls.ts';
import { readsPerHour } from '../reading/reads-quota.ts';
import type { Quota } from '../quota.ts';
import { numberAt, unreadable } from '../calls/fields.ts';
import { graphCall } from '../graph/graph-call.ts';
import { rules } from './errors.ts';
import { DAY_MS, POSTS_A_DAY } from './limits.ts';
import { readingRules } from './reading-rules.ts';

/** A carousel counts as one. Meta's pages say 25, 50 and 100: the account's own limit is read. */
export const posts: Quota = {
  name: 'posts',
  of: 'account',
  limit: POSTS_A_DAY,
  window: { rollingMs: DAY_MS },
  spentBy: 'post',
  source: 'developers.facebook.com/docs/instagram-platform: content_publishing_limit (v25.0)',
  async read(call) {
    const path = `/${call.account.accountId}/content_publishing_limit`;
    const response = await graphCall(call, { method: 'GET', path, query: { fields: 'quota_usage,config' } }, rules);
    const used = numberAt(response, 'data', 0, 'quota_usage');
    const limit = numberAt(response, 'data', 0, 'config', 'quota_total');
    const seconds = numberAt(response, 'data', 0, 'config', 'quota_duration');
    if (used === undefined || limit === undefined) throw unreadable('no publishing limit');
    return { used, limit, ...(seconds !== undefined && { windowMs: seconds * 1_000 }) };
  },
};

export const reads = readsPerHour(
  120,
  'developers.facebook.com/docs/graph-api/overview/rate-limiting: calls of an account are limited by its audience, for reading and publishing together',
);

/** The account, its totals, those that may have been withdrawn, daily reach, and four breakdowns of the audience; media and stories, and insights of each. */
export const readCalls: ReadCalls = {
  account: (wanted) => 1 + callsOver(wanted, readingRules.daysPerCall) * (wanted.metrics.includes('reach') ? 3 : 2) + 4,
  list: (pageSize) => 2 + pageSize,
  posts: (count) => 2 * count,
};
