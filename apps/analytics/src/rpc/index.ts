import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { createAccountFinder } from '../live/known-account.ts';
import { createLiveReader } from '../live/live-reader.ts';
import { erase } from './erase.ts';
import { getAccountHistory } from './get-account-history.ts';
import { getAccountStats } from './get-account-stats.ts';
import { getBestTimes } from './get-best-times.ts';
import { getPlatformPost } from './get-platform-post.ts';
import { getPostStats } from './get-post-stats.ts';
import { getSummary } from './get-summary.ts';
import { listPlatformPosts } from './list-platform-posts.ts';
import { listReadsOff } from './list-reads-off.ts';
import { rankPosts } from './rank-posts.ts';
import type { Readers, served } from './rpc.ts';

export function handlers(context: Context): Handlers<typeof served> {
  const readers: Readers = { ...context, findAccount: createAccountFinder(context), live: createLiveReader(context) };
  return {
    getAccountStats: getAccountStats(readers),
    getAccountHistory: getAccountHistory(readers),
    listPlatformPosts: listPlatformPosts(readers),
    getPlatformPost: getPlatformPost(readers),
    getPostStats: getPostStats(readers),
    getSummary: getSummary(readers),
    rankPosts: rankPosts(readers),
    getBestTimes: getBestTimes(readers),
    listReadsOff: listReadsOff(readers),
    erase: erase(readers),
  };
}
