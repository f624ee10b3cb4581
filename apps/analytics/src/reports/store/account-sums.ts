import type { DayRange, Platform } from '@fanfare/connectors';
import type { Db } from 'mongodb';
import { accountDays } from '../../accounts/store/account-days.ts';
import type { Owner } from '../summary.ts';
import { knownSums, sumIn, type Sums } from './known-sum.ts';

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

interface Row extends Sums {
  _id: { integration: string; current: boolean };
  platform: Platform;
  days: number;
  first?: { followers: number };
  last?: { followers: number };
}

const SUMMED = ['impressions', 'profile_views', 'website_clicks'];

/** One for each account and range, from `since` on. */
export async function sumsByAccount(db: Db, owner: Owner, since: string, { start, end }: DayRange): Promise<AccountSums[]> {
  const rows = await accountDays(db)
    .aggregate<Row>([
      { $match: { business_id: owner.businessId, organization_id: owner.organizationId, day: { $gte: since, $lte: end } } },
      {
        $group: {
          _id: { integration: '$integration_id', current: { $gte: ['$day', start] } },
          platform: { $first: '$platform' },
          days: { $sum: 1 },
          ...knownSums(SUMMED),
          first: { $min: { $cond: [{ $isNumber: '$followers' }, { day: '$day', followers: '$followers' }, '$$REMOVE'] } },
          last: { $max: { $cond: [{ $isNumber: '$followers' }, { day: '$day', followers: '$followers' }, '$$REMOVE'] } },
        },
      },
    ])
    .toArray();
  return rows.map((row) => ({
    integrationId: row._id.integration,
    platform: row.platform,
    isCurrent: row._id.current,
    days: row.days,
    firstFollowers: row.first?.followers ?? null,
    lastFollowers: row.last?.followers ?? null,
    impressions: sumIn(row, 'impressions'),
    profileViews: sumIn(row, 'profile_views'),
    websiteClicks: sumIn(row, 'website_clicks'),
  }));
}
