import type { DayRange, Platform } from '@fanfare/connectors';
import type { Db } from 'mongodb';
import { findAccountDays, type AccountDay, type NumberName } from '../accounts/store/account-months.ts';
import type { Owner } from './owner.ts';

/** What an account's days came to, in the range or in the one before it. */
export interface AccountSums {
  readonly integrationId: string;
  readonly platform: Platform;
  readonly isCurrent: boolean;
  readonly days: number;
  readonly firstFollowers: number | null;
  readonly lastFollowers: number | null;
  readonly impressions: number | null;
  readonly profileViews: number | null;
  readonly websiteClicks: number | null;
}

const READ: readonly NumberName[] = ['followers', 'impressions', 'profile_views', 'website_clicks'];

/** One for each account and range, from `since` on. */
export async function sumsByAccount(db: Db, owner: Owner, since: string, { start, end }: DayRange): Promise<AccountSums[]> {
  const days = await findAccountDays(db, owner, { start: since, end }, READ);
  return [...Map.groupBy(days, ({ integrationId }) => integrationId).values()].flatMap((ofAccount) => {
    const [first] = ofAccount;
    return [true, false].flatMap((isCurrent) => {
      const some = ofAccount.filter(({ day }) => day >= start === isCurrent);
      return some.length === 0 || !first
        ? []
        : [{ ...sumsOf(some), integrationId: first.integrationId, platform: first.platform, isCurrent }];
    });
  });
}

/** @param days oldest first */
function sumsOf(days: readonly AccountDay[]): Omit<AccountSums, 'integrationId' | 'platform' | 'isCurrent'> {
  const known = (name: NumberName) => days.flatMap((day) => day[name] ?? []);
  const sum = (name: NumberName) => {
    const numbers = known(name);
    return numbers.length === 0 ? null : numbers.reduce((all, one) => all + one, 0);
  };
  const followers = known('followers');
  return {
    days: days.length,
    firstFollowers: followers[0] ?? null,
    lastFollowers: followers.at(-1) ?? null,
    impressions: sum('impressions'),
    profileViews: sum('profile_views'),
    websiteClicks: sum('website_clicks'),
  };
}
