import type { AccountStats } from '@fanfare/contracts/analytics';
import { z } from 'zod';
import type { CsvTable } from '../../http/response/csv.ts';
import { selfLink } from '../shared/self-link.ts';
import { isoTime, timestamp } from '../shared/timestamp.ts';

const count = (description: string) => z.number().nullable().meta({ description });
const shares = (description: string) => z.record(z.string(), z.number()).nullable().meta({ description });

/** The numbers of a connected account. */
export const accountStats = z
  .object({
    self: selfLink(),
    fetched_at: timestamp().meta({ description: 'When the platform was read. Responses are cached for some minutes.' }),
    platform: z.string(),
    account_id: z.string().meta({ description: "The platform's id of the account." }),
    page_id: z.string().meta({ description: "The platform's id of the page, channel or location; the same as `account_id`." }),
    start_date: z.string().meta({ description: 'The first day of the range, in `time_zone`.' }),
    end_date: z.string().meta({ description: 'The last day of the range.' }),
    time_zone: z.string().meta({ description: "The time zone of the platform's days.", example: 'America/Los_Angeles' }),
    followers: count('Now.'),
    following: count('Now.'),
    posts_count: count('Now.'),
    impressions: count('How often content of the account was shown in the range.'),
    reach: count('How many people saw it. Only for ranges over which the platform counts people.'),
    profile_views: count('How often the profile was viewed in the range.'),
    website_clicks: count('Clicks on the website in the range.'),
    audience_age_pct: shares('Age bucket → share, from 0 to 1 (Instagram, YouTube).'),
    audience_gender_pct: shares('FEMALE, MALE, UNKNOWN → share (Instagram, YouTube).'),
    audience_country_pct: shares('ISO country code → share (Instagram, YouTube).'),
    audience_city_pct: shares('City → share (Instagram).'),
    audience_industry_pct: shares('Industry → share (LinkedIn).'),
    audience_seniority_pct: shares('Seniority → share (LinkedIn).'),
    audience_function_pct: shares('Job function → share (LinkedIn).'),
    metrics: z
      .array(
        z.object({
          name: z.string().meta({ description: "The platform's name of the metric." }),
          period: z.string(),
          values: z.array(
            z.object({ end_time: timestamp().meta({ description: 'The end of the period.' }), value: z.number().nullable() }),
          ),
        }),
      )
      .nullable()
      .meta({ description: 'The requested metrics over time, oldest first. null if the account has none.' }),
    raw_metrics: z.record(z.string(), z.number().nullable()).meta({ description: "Totals by the platform's own names." }),
    unavailable_reason: z.string().nullable().meta({ description: 'Why numbers are missing, for people; null if none are.' }),
    post_stats_hint: z.string(),
  })
  .meta({ id: 'AccountStats', description: 'null is unknown, never zero.' });

const HINT =
  'For the numbers of single posts, list the posts of the account: GET /api/businesses/{business_id}/integrations/{integration_id}/posts.';

export function accountStatsFrom(stats: AccountStats): z.input<typeof accountStats> {
  return {
    fetched_at: isoTime(stats.fetchedAt),
    platform: stats.platform,
    account_id: stats.accountId,
    page_id: stats.accountId,
    start_date: stats.start,
    end_date: stats.end,
    time_zone: stats.timeZone,
    followers: stats.followers ?? null,
    following: stats.following ?? null,
    posts_count: stats.postsCount ?? null,
    impressions: stats.impressions ?? null,
    reach: stats.reach ?? null,
    profile_views: stats.profileViews ?? null,
    website_clicks: stats.websiteClicks ?? null,
    audience_age_pct: given(stats.audienceAge),
    audience_gender_pct: given(stats.audienceGender),
    audience_country_pct: given(stats.audienceCountry),
    audience_city_pct: given(stats.audienceCity),
    audience_industry_pct: given(stats.audienceIndustry),
    audience_seniority_pct: given(stats.audienceSeniority),
    audience_function_pct: given(stats.audienceFunction),
    metrics:
      stats.metrics.length === 0
        ? null
        : stats.metrics.map(({ name, period, values }) => ({
            name,
            period,
            values: values.map(({ endTime, value }) => ({ end_time: isoTime(endTime), value: value ?? null })),
          })),
    raw_metrics: Object.fromEntries(stats.rawMetrics.map(({ name, value }) => [name, value ?? null])),
    unavailable_reason: stats.unavailableReason || null,
    post_stats_hint: HINT,
  };
}

const given = (shares: Readonly<Record<string, number>>) => (Object.keys(shares).length === 0 ? null : shares);

/** One row for each value of a metric. */
export const accountStatsTable = ({ metrics }: z.input<typeof accountStats>): CsvTable => [
  ['metric', 'period', 'end_time', 'value'],
  ...(metrics ?? []).flatMap(({ name, period, values }) => values.map(({ end_time, value }) => [name, period, end_time, value])),
];
