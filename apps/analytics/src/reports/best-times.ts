import type { GetBestTimesResponse } from '@fanfare/contracts/analytics';
import type { Db } from 'mongodb';
import { posts } from '../posts/store/posts.ts';
import type { Owner } from './owner.ts';

/** With fewer posts there is no recommendation for the week, and with fewer posts in an hour no score for the hour. */
export const LEAST_POSTS = 20;
const LEAST_IN_AN_HOUR = 3;
/** With fewer hours there is too little to compare an hour with. */
const LEAST_HOURS = 3;

interface Hour {
  _id: { weekday: number; hour: number };
  posts: number;
  score: number | null;
  since: Date;
}

/**
 * The hours of the week in which posts performed best. A post counts by its engagements after 24 hours, divided by the mean of its account, so that a large
 * account does not outweigh a small one. Nothing is estimated: an hour without enough posts has no score.
 */
export async function bestTimes(db: Db, owner: Owner, timeZone: string, platform: string): Promise<GetBestTimesResponse> {
  const inZone = (operator: string) => ({ [operator]: { date: '$published_at', timezone: timeZone } });
  const hours = await posts(db)
    .aggregate<Hour>([
      {
        $match: {
          business_id: owner.businessId,
          organization_id: owner.organizationId,
          published_at: { $gte: new Date(0) },
          engagements_24h: { $type: 'number' },
          ...(platform !== '' && { platform }),
        },
      },
      { $setWindowFields: { partitionBy: '$integration_id', output: { usual: { $avg: '$engagements_24h' } } } },
      {
        $group: {
          _id: { weekday: inZone('$isoDayOfWeek'), hour: inZone('$hour') },
          posts: { $sum: 1 },
          score: { $avg: { $cond: [{ $gt: ['$usual', 0] }, { $divide: ['$engagements_24h', '$usual'] }, null] } },
          since: { $min: '$published_at' },
        },
      },
      { $sort: { '_id.weekday': 1, '_id.hour': 1 } },
    ])
    .toArray();
  const count = hours.reduce((sum, { posts }) => sum + posts, 0);
  const isEnough = count >= LEAST_POSTS && hours.length >= LEAST_HOURS;
  const since = hours.map((one) => one.since).sort((a, b) => a.getTime() - b.getTime())[0];
  return {
    hours: hours.map(({ _id, posts, score }) => ({
      ..._id,
      posts,
      score: isEnough && posts >= LEAST_IN_AN_HOUR && score !== null ? score : undefined,
    })),
    posts: count,
    since,
    isEnough,
    leastPosts: LEAST_POSTS,
  };
}
