import type { GetAccountHistoryResponse } from '@fanfare/contracts/analytics';
import { z } from 'zod';
import type { CsvTable } from '../../http/response/csv.ts';
import { selfLink } from '../common/self-link.ts';

const count = (description: string) => z.number().nullable().meta({ description });

const accountDay = z
  .object({
    date: z.string().meta({ description: 'The day, in `time_zone`.', example: '2026-08-05' }),
    followers: count('Number of followers on that day.'),
    following: count('Number of accounts that the account follows, on that day.'),
    posts_count: count('Number of posts on that day.'),
    impressions: count('How often content of the account was shown on that day.'),
    reach: count('How many people saw content of the account on that day.'),
    profile_views: count('How often the profile was viewed on that day.'),
    website_clicks: count('Clicks on the website link on that day.'),
  })
  .meta({ id: 'AccountDay', description: 'Statistics of an account on one day. null means unknown, never zero.' });

/** The stored daily statistics of an account. */
export const accountHistory = z
  .object({
    self: selfLink(),
    platform: z.string(),
    account_id: z.string().meta({ description: "The platform's id of the account." }),
    start_date: z.string().meta({ description: 'The first day of the range, in `time_zone`.' }),
    end_date: z.string().meta({ description: 'The last day of the range.' }),
    time_zone: z.string().meta({ description: 'The time zone in which the platform counts days.', example: 'America/Los_Angeles' }),
    days: z.array(accountDay).meta({ description: 'Oldest first. Days without stored statistics are omitted.' }),
  })
  .meta({ id: 'AccountHistory' });

export const accountHistoryFrom = (history: GetAccountHistoryResponse): z.input<typeof accountHistory> => ({
  platform: history.platform,
  account_id: history.accountId,
  start_date: history.start,
  end_date: history.end,
  time_zone: history.timeZone,
  days: history.days.map((day) => ({
    date: day.day,
    followers: day.followers ?? null,
    following: day.following ?? null,
    posts_count: day.postsCount ?? null,
    impressions: day.impressions ?? null,
    reach: day.reach ?? null,
    profile_views: day.profileViews ?? null,
    website_clicks: day.websiteClicks ?? null,
  })),
});

/** A table with one row for each day. */
export function accountHistoryTable({ days }: z.input<typeof accountHistory>): CsvTable {
  const names = Object.keys(accountDay.shape) as (keyof z.input<typeof accountDay>)[];
  return [names, ...days.map((day) => names.map((name) => day[name]))];
}
