import { callsOver, type ReadCalls } from '../reading/read-calls.ts';
import { readsPerHour } from '../reading/reads-quota.ts';
import { readingRules } from './reading-rules.ts';

export const reads = readsPerHour(120, 'developers.pinterest.com/docs/reference/rate-limits');

/** The ad account, and its audience. */
const AUDIENCE_CALLS = 2;

export const readCalls: ReadCalls = {
  account: (wanted) => 1 + callsOver(wanted, readingRules.daysPerCall) + AUDIENCE_CALLS,
  list: () => 1,
  posts: (count) => 2 * count,
};
