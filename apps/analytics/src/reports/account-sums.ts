import { daysAfter, type DayRange, type Platform } from '@fanfare/connectors';
import type { Db } from 'mongodb';
import { findAccountDays, type AccountDay, type StatisticName } from '../accounts/store/account-months.ts';
import type { Owner } from './owner.ts';

/** The totals of an account over the range, or over the range before it. */
export interface AccountSums {
  readonly integrationId: string;
  readonly platform: Platform;
  readonly isCurrent: boolean;
  readonly days: number;
  /** The last known value; null if there is none. */
  readonly lastFollowers: number | null;
  /** Growth since the last known value before the range, or else since the first in the range; null if there is only one value. */
  readonly followerGrowth: number | null;
  readonly impressions: number | null;
  readonly profileViews: number | null;
  readonly websiteClicks: number | null;
}

const READ: readonly StatisticName[] = ['followers', 'impressions', 'profile_views', 'website_clicks'];

/** How far before a range the number of followers at its start can lie. */
const BEFORE_DAYS = 31;

/** One for each account and range, from `since` on. */
export async function sumsByAccount(db: Db, owner: Owner, since: string, { start, end }: DayRange): Promise<AccountSums[]> {
  const days = await findAccountDays(db, owner, { start: daysAfter(since, -BEFORE_DAYS), end }, READ);
  return [...Map.groupBy(days, ({ integrationId }) => integrationId).values()].flatMap((ofAccount) => {
    const [first] = ofAccount;
    return [true, false].flatMap((isCurrent) => {
      const some = ofAccount.filter(({ day }) => day >= since && day >= start === isCurrent);
      return some.length === 0 || !first
        ? []
        : [
            {
              ...sumsOf(some, lastKnownBefore(ofAccount, isCurrent ? start : since)),
              integrationId: first.integrationId,
              platform: first.platform,
              isCurrent,
            },
          ];
    });
  });
}

/** The last known number of followers before a day. */
const lastKnownBefore = (days: readonly AccountDay[], start: string): number | undefined =>
  days
    .filter(({ day }) => day < start)
    .flatMap(({ followers }) => followers ?? [])
    .at(-1);

/**
 * @param days oldest first
 * @param before the number of followers at the start of the range, if known
 */
function sumsOf(days: readonly AccountDay[], before: number | undefined): Omit<AccountSums, 'integrationId' | 'platform' | 'isCurrent'> {
  const known = (name: StatisticName) => days.flatMap((day) => day[name] ?? []);
  const sum = (name: StatisticName) => {
    const values = known(name);
    return values.length === 0 ? null : values.reduce((all, one) => all + one, 0);
  };
  const followers = known('followers');
  return {
    days: days.length,
    lastFollowers: followers.at(-1) ?? null,
    followerGrowth: growthOf(before, followers),
    impressions: sum('impressions'),
    profileViews: sum('profile_views'),
    websiteClicks: sum('website_clicks'),
  };
}

/** Unknown, and not 0, unless there are two values, at least one of them in the range. */
function growthOf(before: number | undefined, followers: readonly number[]): number | null {
  const last = followers.at(-1);
  const first = before ?? (followers.length > 1 ? followers[0] : undefined);
  return last === undefined || first === undefined ? null : last - first;
}
