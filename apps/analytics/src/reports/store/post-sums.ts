import { daysAfter, type DayRange, type Platform } from '@fanfare/connectors';
import type { Db } from 'mongodb';
import { posts } from '../../posts/store/posts.ts';
import type { Owner } from '../owner.ts';
import { sumIn, type Sums } from './known-sum.ts';

/** The totals, from their latest snapshots, of the posts on a platform that were published in the range, or in the range before it. */
export interface PostSums {
  readonly platform: Platform;
  readonly isCurrent: boolean;
  readonly count: number;
  readonly engagements: number | null;
  /** Only of posts of which it is known how often they were seen. */
  readonly ratedEngagements: number | null;
  readonly seen: number | null;
}

interface Row extends Sums {
  _id: { platform: Platform; current: boolean };
  count: number;
  seen: number;
  rated_known: number;
}

/** The start and end of a range of UTC days. */
export const timesOf = ({ start, end }: DayRange) => ({
  $gte: new Date(`${start}T00:00:00Z`),
  $lt: new Date(`${daysAfter(end, 1)}T00:00:00Z`),
});

export async function sumsByPlatform(db: Db, owner: Owner, since: string, { start, end }: DayRange): Promise<PostSums[]> {
  const engagements = '$latest.engagements';
  const seen = { $ifNull: ['$latest.numbers.impressions', '$latest.numbers.views'] };
  const isRated = { $and: [{ $isNumber: engagements }, { $isNumber: seen }] };
  const rows = await posts(db)
    .aggregate<Row>([
      { $match: { business_id: owner.businessId, organization_id: owner.organizationId, published_at: timesOf({ start: since, end }) } },
      {
        $group: {
          _id: { platform: '$platform', current: { $gte: ['$published_at', new Date(`${start}T00:00:00Z`)] } },
          count: { $sum: 1 },
          engagements: { $sum: engagements },
          engagements_known: { $sum: { $cond: [{ $isNumber: engagements }, 1, 0] } },
          rated: { $sum: { $cond: [isRated, engagements, 0] } },
          seen: { $sum: { $cond: [isRated, seen, 0] } },
          rated_known: { $sum: { $cond: [isRated, 1, 0] } },
        },
      },
    ])
    .toArray();
  return rows.map((row) => ({
    platform: row._id.platform,
    isCurrent: row._id.current,
    count: row.count,
    engagements: sumIn(row, 'engagements'),
    ratedEngagements: sumIn(row, 'rated'),
    seen: row.rated_known > 0 ? row.seen : null,
  }));
}
