import type { GetSummaryResponse, RangeTotals, Totals } from '@fanfare/contracts/analytics';
import { z } from 'zod';
import type { CsvTable } from '../../http/response/csv.ts';
import { present } from '../shared/present.ts';
import { selfLink } from '../shared/self-link.ts';

const count = (description: string) => z.number().nullable().meta({ description });

const rangeTotals = z
  .object({
    followers: count('Number of followers at the end of the range.'),
    follower_growth: count('The change in followers from the first to the last day of the range for which the number is known.'),
    impressions: count('How often content of the accounts was shown.'),
    profile_views: count('How often their profiles were viewed.'),
    website_clicks: count('Clicks on their website links.'),
    posts: z
      .int()
      .meta({ description: 'Posts published in the range. A post that was published to several accounts counts once for each.' }),
    engagements: count('Likes, comments, shares and saves of these posts, as of their latest snapshot.'),
    post_impressions: count('How often these posts were shown. For platforms that do not count impressions: views.'),
    engagement_rate: count('Engagements divided by impressions, for the posts whose impressions are known.'),
    days_with_data: z.int().meta({ description: 'Days of the range for which at least one account has statistics.' }),
  })
  .meta({ id: 'RangeTotals', description: 'Totals over a range of days. null means unknown, never zero.' });

const totals = z
  .object({
    accounts: z.int().meta({ description: 'Accounts with statistics.' }),
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

/** Two rows for each platform and for all platforms: the range and the previous range. */
export function summaryTable(body: z.input<typeof summary>): CsvTable {
  const names = Object.keys(rangeTotals.shape) as (keyof z.input<typeof rangeTotals>)[];
  const rows = [...body.platforms, { platform: 'all', ...body.total }].flatMap(({ platform, accounts, current, previous }) => [
    [platform, accounts, body.start_date, body.end_date, ...names.map((name) => current[name])],
    [platform, accounts, body.previous_start_date, body.previous_end_date, ...names.map((name) => previous[name])],
  ]);
  return [['platform', 'accounts', 'start_date', 'end_date', ...names], ...rows];
}
