import type { AccountTotals, Platform } from '@fanfare/connectors';
import type { ClientSession, Db } from 'mongodb';

/** The numbers of an account on one day of its platform's time zone. One document for each, however often it is read. Null is unknown. */
export interface AccountDayDocument {
  /** `{integration}/{day}` */
  _id: string;
  organization_id: string;
  business_id: string;
  integration_id: string;
  platform: Platform;
  day: string;
  /** The day as a time, after which it is kept for 25 months. */
  at: Date;
  /** Of the account as a whole, at the time when the day was current. */
  followers?: number | null;
  following?: number | null;
  posts_count?: number | null;
  /** Of the day. */
  impressions?: number | null;
  reach?: number | null;
  profile_views?: number | null;
  website_clicks?: number | null;
}

/** 25 months: a year over a year, and a month to look at it. */
export const KEPT_SECONDS = 762 * 24 * 3_600;

export const accountDays = (db: Db) => db.collection<AccountDayDocument>('account_days');

export async function createAccountDayIndexes(db: Db): Promise<void> {
  await accountDays(db).createIndex({ business_id: 1, day: 1 });
  await accountDays(db).createIndex({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS });
}

export type DayOwner = Pick<AccountDayDocument, 'organization_id' | 'business_id' | 'integration_id' | 'platform'>;
export type DayNumbers = Partial<
  Pick<AccountDayDocument, 'followers' | 'following' | 'posts_count' | 'impressions' | 'reach' | 'profile_views' | 'website_clicks'>
>;

/** Stores numbers of days; others of the same days stay. */
export async function putAccountDays(
  db: Db,
  owner: DayOwner,
  days: readonly (DayNumbers & { readonly day: string })[],
  session: ClientSession,
): Promise<void> {
  if (days.length === 0) return;
  const writes = days.map(({ day, ...numbers }) => ({
    updateOne: {
      filter: { _id: `${owner.integration_id}/${day}` },
      update: { $set: { ...owner, day, at: new Date(`${day}T00:00:00Z`), ...numbers } },
      upsert: true,
    },
  }));
  await accountDays(db).bulkWrite(writes, { session, ordered: false });
}

export const flowsOf = ({ impressions, reach, profileViews, websiteClicks }: AccountTotals): DayNumbers => ({
  impressions,
  reach,
  profile_views: profileViews,
  website_clicks: websiteClicks,
});

export const levelsOf = ({ followers, following, postsCount }: AccountTotals): DayNumbers => ({
  followers,
  following,
  posts_count: postsCount,
});
