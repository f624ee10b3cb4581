import { daysAfter, daysIn, type DayRange, type Platform } from '@fanfare/connectors';
import type { GetSummaryResponse, RangeTotals, Totals } from '@fanfare/contracts/analytics';
import type { Db } from 'mongodb';
import type { Owner } from './owner.ts';
import { sumsByAccount, type AccountSums } from './account-sums.ts';
import { sumsByPlatform, type PostSums } from './store/post-sums.ts';

/** The range of the same length directly before this one. */
export const rangeBefore = ({ start, end }: DayRange): DayRange => ({
  start: daysAfter(start, -daysIn({ start, end })),
  end: daysAfter(start, -1),
});

/**
 * Sums up a range of days for all accounts of a business, and compares it with the range before. Values that no platform reported are unknown and add nothing.
 * @param firstKept the first day of which no posts are deleted yet: totals of posts of a range that begins earlier are unknown
 */
export async function summarize(db: Db, owner: Owner, current: DayRange, firstKept: string): Promise<GetSummaryResponse> {
  const previous = rangeBefore(current);
  const [accounts, posts] = await Promise.all([
    sumsByAccount(db, owner, previous.start, current),
    sumsByPlatform(db, owner, previous.start, current),
  ]);
  const platforms = [...new Set([...accounts, ...posts].map(({ platform }) => platform))].sort();
  const of = (platform?: Platform): Totals => {
    const ours = accounts.filter((one) => platform === undefined || one.platform === platform);
    const published = posts.filter((one) => platform === undefined || one.platform === platform);
    const range = (isCurrent: boolean): RangeTotals => ({
      ...totalsOf(ours.filter((one) => one.isCurrent === isCurrent)),
      ...((isCurrent ? current : previous).start < firstKept
        ? UNKNOWN_POSTS
        : postTotalsOf(published.filter((one) => one.isCurrent === isCurrent))),
    });
    return { accounts: new Set(ours.map(({ integrationId }) => integrationId)).size, current: range(true), previous: range(false) };
  };
  return {
    ...current,
    previousStart: previous.start,
    previousEnd: previous.end,
    total: of(),
    platforms: platforms.map((platform) => ({ platform, totals: of(platform) })),
  };
}

type PostTotals = Pick<RangeTotals, 'posts' | 'engagements' | 'postImpressions' | 'engagementRate' | 'postsUnknown'>;

const UNKNOWN_POSTS: PostTotals = {
  ...{ posts: 0, postsUnknown: true },
  ...{ engagements: undefined, postImpressions: undefined, engagementRate: undefined },
};

function postTotalsOf(posts: readonly PostSums[]): PostTotals {
  const rated = { engagements: sumOf(posts.map(({ ratedEngagements }) => ratedEngagements)), seen: sumOf(posts.map(({ seen }) => seen)) };
  return {
    posts: posts.reduce((sum, { count }) => sum + count, 0),
    postsUnknown: false,
    engagements: sumOf(posts.map(({ engagements }) => engagements)),
    postImpressions: rated.seen,
    engagementRate: rated.engagements !== undefined && rated.seen ? rated.engagements / rated.seen : undefined,
  };
}

function totalsOf(accounts: readonly AccountSums[]): Omit<RangeTotals, keyof PostTotals> {
  const parts = {
    followers: accounts.map(({ lastFollowers }) => lastFollowers),
    followerGrowth: accounts.map(({ followerGrowth }) => followerGrowth),
    impressions: accounts.map(({ impressions }) => impressions),
    profileViews: accounts.map(({ profileViews }) => profileViews),
    websiteClicks: accounts.map(({ websiteClicks }) => websiteClicks),
  };
  const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null).length;
  return {
    followers: sumOf(parts.followers),
    followerGrowth: sumOf(parts.followerGrowth),
    impressions: sumOf(parts.impressions),
    profileViews: sumOf(parts.profileViews),
    websiteClicks: sumOf(parts.websiteClicks),
    daysWithData: Math.max(0, ...accounts.map(({ days }) => days)),
    accounts: accounts.length,
    knownAccounts: {
      followers: known(parts.followers),
      followerGrowth: known(parts.followerGrowth),
      impressions: known(parts.impressions),
      profileViews: known(parts.profileViews),
      websiteClicks: known(parts.websiteClicks),
    },
  };
}

/** The sum of the known parts; undefined if none is known. */
function sumOf(parts: readonly (number | null)[]): number | undefined {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? undefined : known.reduce((sum, part) => sum + part, 0);
}
