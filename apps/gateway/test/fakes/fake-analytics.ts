import { AccountDay, AccountStats, type AnalyticsServiceService, type HourOfWeek, PlatformPost } from '@fanfare/contracts/analytics';
import { DomainError } from '@fanfare/errors';
import type { Handlers } from '@fanfare/rpc';
import type { Note } from '../note.ts';

const AT = new Date('2026-08-06T09:30:00.000Z');
type Analytics = Handlers<typeof AnalyticsServiceService>;

/** A formula in a caption, which must be escaped in a table. */
export const FORMULA = '=HYPERLINK("https://evil.example","click")';
/** An account whose statistics cannot be read. */
export const UNREADABLE = 'd3b07384-d113-4ec6-a5d5-3e7b1c1a0001';
const aPost = (publishId: string) =>
  PlatformPost.fromPartial({ publishId, platform: 'x', caption: FORMULA, createdTime: AT, stats: { fetchedAt: AT, likes: 0 } });

/** Statistics of every account and post. */
export const fakeAnalytics = (note: Note, bestHours: readonly HourOfWeek[]): Analytics => ({
  async getAccountStats(request, call) {
    note('getAccountStats', request, call);
    const stats = AccountStats.fromPartial({
      fetchedAt: AT,
      platform: 'x',
      accountId: '1',
      followers: 0,
      unavailableReason: 'No numbers over time.',
    });
    return { stats };
  },
  async getAccountHistory(request, call) {
    note('getAccountHistory', request, call);
    const range = { start: '2026-08-01', end: '2026-08-02', timeZone: 'UTC' };
    return { platform: 'x', accountId: '1', ...range, days: [AccountDay.fromPartial({ day: '2026-08-01', followers: 0 })] };
  },
  async listPlatformPosts(request, call) {
    note('listPlatformPosts', request, call);
    if (request.cursor !== '' && request.cursor !== 'next')
      throw new DomainError('invalid_request', 'cursor is another one.', { param: 'cursor' });
    if (request.integrationId === UNREADABLE) return { posts: [], nextCursor: '', totalCount: undefined, unavailableReason: 'No list.' };
    return { posts: [aPost('1')], nextCursor: request.cursor === '' ? 'next' : '', totalCount: undefined, unavailableReason: '' };
  },
  async getPlatformPost(request, call) {
    note('getPlatformPost', request, call);
    return { post: aPost(request.publishId), unavailableReason: request.integrationId === UNREADABLE ? 'No numbers.' : '' };
  },
  async getPostStats(request, call) {
    note('getPostStats', request, call);
    return { results: request.targets.map((target) => ({ target, stats: aPost('1').stats, unavailableReason: '', history: [] })) };
  },
  async getSummary(request, call) {
    note('getSummary', request, call);
    const none = { posts: 0, daysWithData: 0, followerGrowth: -5, followers: undefined, impressions: undefined, profileViews: undefined };
    const range = { ...none, websiteClicks: undefined, engagements: undefined, postImpressions: undefined, engagementRate: undefined };
    const knownAccounts = { followers: 0, followerGrowth: 1, impressions: 0, profileViews: 0, websiteClicks: 0 };
    const current = { ...range, postsUnknown: false, accounts: 1, knownAccounts };
    const totals = { accounts: 1, current, previous: { ...current, postsUnknown: true, accounts: 0 } };
    return {
      start: '2026-07-01',
      end: '2026-07-31',
      previousStart: '2026-05-31',
      previousEnd: '2026-06-30',
      total: totals,
      platforms: [{ platform: 'x', totals }],
    };
  },
  async rankPosts(request, call) {
    note('rankPosts', request, call);
    return { posts: [] };
  },
  async listReadsOff(request, call) {
    note('listReadsOff', request, call);
    return { platforms: ['x'] };
  },
  async getBestTimes(request, call) {
    note('getBestTimes', request, call);
    return { hours: [...bestHours], posts: bestHours.length, since: undefined, isEnough: bestHours.length > 0, leastPosts: 20 };
  },
});
