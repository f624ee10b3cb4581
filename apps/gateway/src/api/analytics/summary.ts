import { present } from '@fanfare/resources';
import type { GetSummaryResponse, RangeTotals, Totals } from '@fanfare/contracts/analytics';
import { z } from 'zod';
import type { CsvTable } from '../../http/response/csv.ts';
import { selfLink } from '../common/self-link.ts';
import { ENGAGEMENT_RATE } from './post-statistics.ts';

const count = (description: string) => z.number().nullable().meta({ description });

const OF_KEPT = 'null if the range begins before what is kept (25 months).';

const rangeTotals = z
  .object({
    accounts: z.int().meta({ description: 'Accounts with stored statistics in the range.' }),
    followers: count('Number of followers at the end of the range: the last known number in it.'),
    follower_growth: count(
      'The growth in followers, added up over the accounts. For each account it is the last known number in the range minus the last known number of the 31 days before the range. If there is none before the range, the first known number in the range is used. An account with only one known number is left out.',
    ),
    impressions: count('How often content of the accounts was shown.'),
    profile_views: count('How often their profiles were viewed.'),
    website_clicks: count('Clicks on their website links.'),
    known_accounts: z
      .object({ followers: z.int(), follower_growth: z.int(), impressions: z.int(), profile_views: z.int(), website_clicks: z.int() })
      .meta({
        description:
          'How many accounts each of these totals includes: those for which the number is known on at least one day. Others add nothing, so compare totals only if they include the same accounts.',
      }),
    posts: z
      .int()
      .nullable()
      .meta({
        description: `Posts published in the range. A post that was published to several accounts counts once for each. ${OF_KEPT}`,
      }),
    engagements: count(`Likes, comments, shares and saves of these posts, as of their latest snapshot. ${OF_KEPT}`),
    post_impressions: count(
      `How often the posts were seen: their impressions, or the views of posts without known impressions. Only posts with known engagements count. \`engagement_rate\` is their engagements divided by this number. ${OF_KEPT}`,
    ),
    engagement_rate: count(`${ENGAGEMENT_RATE} ${OF_KEPT}`),
    days_with_data: z.int().meta({ description: 'Days of the range for which the account with the most days has statistics.' }),
  })
  .meta({ id: 'RangeTotals', description: 'Totals over a range of days. null means unknown, never zero.' });

const totals = z
  .object({
    accounts: z.int().meta({ description: 'Accounts with stored statistics in either range.' }),
    current: rangeTotals,
    previous: rangeTotals.meta({ description: 'The preceding range of the same length.' }),
  })
  .meta({ id: 'SummaryTotals' });

/** The totals of all accounts of a business over a range of days. */
export const summary = z
  .object({
    self: selfLink(),
    start_date: z.string(),
    end_date: z.string(),
    previous_start_date: z.string(),
    previous_end_date: z.string(),
    total: totals,
    platforms: z.array(z.object({ platform: z.string(), ...totals.shape })),
  })
  .meta({ id: 'AnalyticsSummary' });

export const summaryFrom = ({ start, end, previousStart, previousEnd, total, platforms }: GetSummaryResponse): z.input<typeof summary> => ({
  start_date: start,
  end_date: end,
  previous_start_date: previousStart,
  previous_end_date: previousEnd,
  total: totalsFrom(present(total)),
  platforms: platforms.map(({ platform, totals: of }) => ({ platform, ...totalsFrom(present(of)) })),
});

const totalsFrom = ({ accounts, current, previous }: Totals): z.input<typeof totals> => ({
  accounts,
  current: rangeFrom(present(current)),
  previous: rangeFrom(present(previous)),
});

const rangeFrom = (range: RangeTotals): z.input<typeof rangeTotals> => {
  const known = present(range.knownAccounts);
  return {
    accounts: range.accounts,
    followers: range.followers ?? null,
    follower_growth: range.followerGrowth ?? null,
    impressions: range.impressions ?? null,
    profile_views: range.profileViews ?? null,
    website_clicks: range.websiteClicks ?? null,
    known_accounts: {
      followers: known.followers,
      follower_growth: known.followerGrowth,
      impressions: known.impressions,
      profile_views: known.profileViews,
      website_clicks: known.websiteClicks,
    },
    posts: range.postsUnknown ? null : range.posts,
    engagements: range.engagements ?? null,
    post_impressions: range.postImpressions ?? null,
    engagement_rate: range.engagementRate ?? null,
    days_with_data: range.daysWithData,
  };
};

const KNOWN = ['followers', 'follower_growth', 'impressions', 'profile_views', 'website_clicks'] as const;
const NUMBERS = [...KNOWN, 'posts', 'engagements', 'post_impressions', 'engagement_rate', 'days_with_data'] as const;

/** Two rows for each platform and for all platforms: the range and the previous range. */
export function summaryTable(body: z.input<typeof summary>): CsvTable {
  const rowOf = (platform: string, start: string, end: string, totals: z.input<typeof rangeTotals>) => [
    ...[platform, totals.accounts, start, end],
    ...NUMBERS.map((name) => totals[name]),
    ...KNOWN.map((name) => totals.known_accounts[name]),
  ];
  const rows = [...body.platforms, { platform: 'all', ...body.total }].flatMap(({ platform, current, previous }) => [
    rowOf(platform, body.start_date, body.end_date, current),
    rowOf(platform, body.previous_start_date, body.previous_end_date, previous),
  ]);
  return [['platform', 'accounts', 'start_date', 'end_date', ...NUMBERS, ...KNOWN.map((name) => `known_accounts.${name}`)], ...rows];
}
