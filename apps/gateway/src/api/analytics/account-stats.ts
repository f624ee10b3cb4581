import { z } from 'zod';
import type { CsvTable } from '../../http/response/csv.ts';
import { platformsWithAudience } from '../platforms/platform-lists.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

const count = (description: string) => z.number().nullable().meta({ description });
const shares = (breakdown: Parameters<typeof platformsWithAudience>[0], description: string) =>
  z
    .record(z.string(), z.number())
    .nullable()
    .meta({ description: `${description} (${platformsWithAudience(breakdown)}).` });

/** The statistics of a connected account. */
export const accountStats = z
  .object({
    self: selfLink(),
    fetched_at: timestamp().meta({
      description: 'When Fanfare read the statistics from the platform. They are cached for several minutes.',
    }),
    platform: z.string(),
    account_id: z.string().meta({ description: "The platform's id of the account." }),
    page_id: z.string().meta({ description: "The platform's id of the page, channel or location; the same as `account_id`." }),
    start_date: z.string().meta({ description: 'The first day of the range, in `time_zone`.' }),
    end_date: z.string().meta({ description: 'The last day of the range.' }),
    time_zone: z.string().meta({ description: 'The time zone in which the platform counts days.', example: 'America/Los_Angeles' }),
    followers: count('Current number of followers.'),
    following: count('Current number of accounts that the account follows.'),
    posts_count: count('Current number of posts.'),
    impressions: count('How often content of the account was shown in the range.'),
    reach: count(
      'How many people saw content of the account in the range. null if the platform does not count people over a range of this length.',
    ),
    profile_views: count('How often the profile was viewed in the range.'),
    website_clicks: count('Clicks on the website link in the range.'),
    audience_age_pct: shares('age', 'Age bucket → share, from 0 to 1'),
    audience_gender_pct: shares('gender', 'FEMALE, MALE, UNKNOWN → share'),
    audience_country_pct: shares('country', 'ISO country code → share'),
    audience_city_pct: shares('city', 'City → share'),
    audience_industry_pct: shares('industry', 'Industry → share'),
    audience_seniority_pct: shares('seniority', 'Seniority → share'),
    audience_function_pct: shares('function', 'Job function → share'),
    metrics: z
      .array(
        z.object({
          name: z.string().meta({ description: "The platform's name of the metric." }),
          period: z.string().meta({
            description:
              '`day`, `week` or `days_28`: the length of the period of each value. `range`: the platform has no time series of this metric, and the one value is the total over the range.',
          }),
          values: z.array(
            z.object({
              end_time: timestamp().meta({
                description:
                  'The instant at which the last day of the period ends in `time_zone`: the first instant of the next day. In the future for a day that has not ended.',
              }),
              value: z.number().nullable(),
            }),
          ),
        }),
      )
      .nullable()
      .meta({ description: 'The requested metrics as time series, oldest value first; null if there are none.' }),
    raw_metrics: z.record(z.string(), z.number().nullable()).meta({
      description:
        "Totals over the range, or the latest values, by the platform's own names. `raw_metrics` of `GET /api/platforms` describes the names of each platform.",
    }),
    unavailable_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why some statistics are missing, as text for people; null if none are missing.' }),
    post_stats_hint: z.string().meta({ description: 'Where to get the statistics of individual posts, as text for people.' }),
  })
  .meta({ id: 'AccountStats', description: 'Statistics of a connected account. null means unknown, never zero.' });

const NOW = ['followers', 'following', 'posts_count'] as const;
const OF_RANGE = ['impressions', 'reach', 'profile_views', 'website_clicks'] as const;
const SHARES = [
  'audience_age_pct',
  'audience_gender_pct',
  'audience_country_pct',
  'audience_city_pct',
  'audience_industry_pct',
  'audience_seniority_pct',
  'audience_function_pct',
] as const;

/** One row for each value: first the totals, the shares (such as `audience_age_pct.18-24`) and the reason for missing ones; then the values of each metric. */
export const accountStatsTable = ({ metrics, ...stats }: z.input<typeof accountStats>): CsvTable => [
  ['metric', 'period', 'end_time', 'value'],
  ...NOW.map((name) => [name, 'lifetime', stats.fetched_at, stats[name]]),
  ...OF_RANGE.map((name) => [name, 'range', stats.end_date, stats[name]]),
  ...SHARES.flatMap((name) =>
    Object.entries(stats[name] ?? {}).map(([part, share]) => [`${name}.${part}`, 'lifetime', stats.fetched_at, share]),
  ),
  ...Object.entries(stats.raw_metrics).map(([name, value]) => [`raw_metrics.${name}`, 'range', stats.end_date, value]),
  ...(stats.unavailable_reason === null ? [] : [['unavailable_reason', 'lifetime', stats.fetched_at, stats.unavailable_reason]]),
  ...(metrics ?? []).flatMap(({ name, period, values }) => values.map(({ end_time, value }) => [name, period, end_time, value])),
];
