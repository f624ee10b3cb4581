import { daysIn } from './day-range.ts';
import type { AccountWanted, DayRange } from './reading.ts';

/**
 * How many calls, of those that the platform's quota counts, each kind of read makes at most. Calls that are repeated without a metric that the
 * platform rejects are not included.
 */
export interface ReadCalls {
  readonly account: (wanted: AccountWanted) => number;
  readonly list: (pageSize: number) => number;
  readonly posts: (count: number) => number;
}

/** Of a platform without `readCalls`. */
export const ONE_CALL: ReadCalls = { account: () => 1, list: () => 1, posts: () => 1 };

/** How many calls a range takes if one covers so many days. */
export const callsOver = (range: DayRange, daysPerCall: number): number => Math.ceil(daysIn(range) / daysPerCall);
