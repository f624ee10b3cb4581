import type { AccountTotals, DayRange, Platform } from '@fanfare/connectors';
import type { ClientSession, Db, Filter } from 'mongodb';
import { KEPT_SECONDS } from '../../kept-days.ts';

/** The statistics that are stored for each day of an account. */
const STATISTICS = ['followers', 'following', 'posts_count', 'impressions', 'reach', 'profile_views', 'website_clicks'] as const;
export type StatisticName = (typeof STATISTICS)[number];
export type DayStatistics = Partial<Record<StatisticName, number | null>>;

/** A day of an account, in the time zone of its platform. Null means that the platform did not report the value; an absent one was not read. */
export type AccountDay = DayStatistics & { readonly integrationId: string; readonly platform: Platform; readonly day: string };

/**
 * The statistics of an account in a month of its platform's time zone. One document contains a month: a report over a year reads thousands of days, and with a
 * document for each day this takes five times as long.
 */
interface AccountMonthDocument extends Partial<Record<StatisticName, Record<string, number | null>>> {
  /** `{integration}/{month}` */
  _id: string;
  organization_id: string;
  business_id: string;
  integration_id: string;
  platform: Platform;
  /** `2026-11`. Each statistic maps the days `01` to `31` to their values. */
  month: string;
  /** The end of the month. The document expires 25 months later. */
  at: Date;
}

const months = (db: Db) => db.collection<AccountMonthDocument>('account_months');

export async function createAccountMonthIndexes(db: Db): Promise<void> {
  await months(db).createIndex({ business_id: 1, month: 1 });
  await months(db).createIndex({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS });
}

type DayOwner = Pick<AccountMonthDocument, 'organization_id' | 'business_id' | 'integration_id' | 'platform'>;

/** Stores statistics of days. Statistics of these days that are not given stay as they are. */
export async function putAccountDays(
  db: Db,
  owner: DayOwner,
  days: readonly (DayStatistics & { readonly day: string })[],
  session?: ClientSession,
): Promise<void> {
  if (days.length === 0) return;
  const writes = [...Map.groupBy(days, ({ day }) => day.slice(0, 7))].map(([month, some]) => ({
    updateOne: {
      filter: { _id: `${owner.integration_id}/${month}` },
      update: {
        $set: {
          ...owner,
          month,
          at: endOf(month),
          ...Object.fromEntries(
            some.flatMap(({ day, ...statistics }) => Object.entries(statistics).map(([name, value]) => [`${name}.${day.slice(8)}`, value])),
          ),
        },
      },
      upsert: true,
    },
  }));
  await months(db).bulkWrite(writes, { ordered: false, ...(session && { session }) });
}

function endOf(month: string): Date {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number));
}

export const flowsOf = ({ impressions, reach, profileViews, websiteClicks }: AccountTotals): DayStatistics => ({
  impressions,
  reach,
  profile_views: profileViews,
  website_clicks: websiteClicks,
});

export const levelsOf = ({ followers, following, postsCount }: AccountTotals): DayStatistics => ({
  followers,
  following,
  posts_count: postsCount,
});

/** The days of accounts in a range, each account's oldest first. Only days that have at least one of the statistics. */
export async function findAccountDays(
  db: Db,
  {
    organizationId,
    businessId,
    integrationId,
  }: { readonly organizationId: string; readonly businessId: string; readonly integrationId?: string },
  { start, end }: DayRange,
  names: readonly StatisticName[] = STATISTICS,
): Promise<AccountDay[]> {
  const filter: Filter<AccountMonthDocument> = {
    business_id: businessId,
    organization_id: organizationId,
    ...(integrationId !== undefined && { integration_id: integrationId }),
    month: { $gte: start.slice(0, 7), $lte: end.slice(0, 7) },
  };
  const projection = Object.fromEntries(['integration_id', 'platform', 'month', ...names].map((name) => [name, 1]));
  const found = await months(db).find(filter, { projection }).sort({ month: 1 }).toArray();
  return found.flatMap((month) => daysOfMonth(month, names).filter(({ day }) => day >= start && day <= end));
}

/** `01` to `31`. */
const DAYS_OF_MONTH = Array.from({ length: 31 }, (_, at) => String(at + 1).padStart(2, '0'));

function daysOfMonth(document: AccountMonthDocument, names: readonly StatisticName[]): AccountDay[] {
  const { integration_id: integrationId, platform, month } = document;
  const days: AccountDay[] = [];
  for (const dayOfMonth of DAYS_OF_MONTH) {
    const statistics: DayStatistics = {};
    let isKnown = false;
    for (const name of names) {
      const value = document[name]?.[dayOfMonth];
      if (value === undefined) continue;
      statistics[name] = value;
      isKnown = true;
    }
    if (isKnown) days.push({ integrationId, platform, day: `${month}-${dayOfMonth}`, ...statistics });
  }
  return days;
}
