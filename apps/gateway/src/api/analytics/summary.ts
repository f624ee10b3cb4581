import type { GetSummaryResponse, RangeTotals, Totals } from '@fanfare/contracts/analytics';
import { z } from 'zod';
import type { CsvTable } from '../../http/response/csv.ts';
import { present } from '../shared/present.ts';
import { selfLink } from '../shared/self-link.ts';

const count = (description: string) => z.number().nullable().meta({ description });

const rangeTotals = z
  .object({
    followers: count('At the end of the range.'),
    follower_growth: count('Followers on the last day with a number less those on the first one.'),
    impressions: count('How often content of the accounts was shown.'),
    profile_views: count('How often their profiles were viewed.'),
    website_clicks: count('Clicks on their websites.'),
    posts: z.int().meta({ description: 'Posts published in the range, one for each account.' }),
    engagements: count('Likes, comments, shares and saves of these posts, at their latest snapshot.'),
    post_impressions: count('How often these posts were shown; views where a platform counts no impressions.'),
    engagement_rate: count('Engagements divided by impressions, of the posts whose impressions are known.'),
    days_with_data: z.int().meta({ description: 'Days of the range for which at least one account has numbers.' }),
  })
  .meta({ id: 'RangeTotals', description: 'null is unknown, never zero.' });

const totals = z
  .object({
    accounts: z.int().meta({ description: 'Accounts with numbers.' }),
    current: rangeTotals,
    previous: rangeTotals.meta({ description: 'The range of the same length before.' }),
  })
  .meta({ id: 'SummaryTotals' });

/** All accounts of a business over a range of days. */
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

const rangeFrom = (range: RangeTotals): z.input<typeof rangeTotals> => ({
  followers: range.followers ?? null,
  follower_growth: range.followerGrowth ?? null,
  impressions: range.impressions ?? null,
  profile_views: range.profileViews ?? null,
  website_clicks: range.websiteClicks ?? null,
  posts: range.posts,
  engagements: range.engagements ?? null,
  post_impressions: range.postImpressions ?? null,
  engagement_rate: range.engagementRate ?? null,
  days_with_data: range.daysWithData,
});

/** Two rows for each platform and for all: the range and the one before. */
export function summaryTable(body: z.input<typeof summary>): CsvTable {
  const names = Object.keys(rangeTotals.shape) as (keyof z.input<typeof rangeTotals>)[];
  const rows = [...body.platforms, { platform: 'all', ...body.total }].flatMap(({ platform, accounts, current, previous }) => [
    [platform, accounts, body.start_date, body.end_date, ...names.map((name) => current[name])],
    [platform, accounts, body.previous_start_date, body.previous_end_date, ...names.map((name) => previous[name])],
  ]);
  return [['platform', 'accounts', 'start_date', 'end_date', ...names], ...rows];
}
