import type { DayRange, PostStatistics } from '@fanfare/connectors';
import type { RankedPost, RankPostsRequest } from '@fanfare/contracts/analytics';
import { DomainError } from '@fanfare/errors';
import type { Db } from 'mongodb';
import { postStatsFrom } from '../live/to-proto.ts';
import { posts } from '../posts/store/posts.ts';
import { timesOf } from './store/post-sums.ts';
import type { Owner } from './owner.ts';

/** The metrics by which posts can be ranked: name in the API → stored field. */
const PATHS = {
  engagements: 'latest.engagements',
  engagement_rate: 'latest.engagement_rate',
  likes: pathOf('likes'),
  comment_count: pathOf('commentCount'),
  impressions: pathOf('impressions'),
  shares: pathOf('shares'),
  reach: pathOf('reach'),
  saves: pathOf('saves'),
  clicks: pathOf('clicks'),
  views: pathOf('views'),
  avg_watch_time_ms: pathOf('avgWatchTimeMs'),
  total_watch_time_ms: pathOf('totalWatchTimeMs'),
  completion_rate: pathOf('completionRate'),
  video_views_organic: pathOf('videoViewsOrganic'),
  video_views_paid: pathOf('videoViewsPaid'),
} as const;

function pathOf(name: keyof PostStatistics): string {
  return `latest.numbers.${name}`;
}

/** The posts of a range with the highest values. Posts whose value is unknown are left out. */
export async function rankPosts(db: Db, owner: Owner, range: DayRange, wanted: RankPostsRequest): Promise<RankedPost[]> {
  const path = Object.hasOwn(PATHS, wanted.metric) ? PATHS[wanted.metric as keyof typeof PATHS] : undefined;
  if (path === undefined)
    throw new DomainError('invalid_request', `metric must be one of ${Object.keys(PATHS).join(', ')}.`, { param: 'metric' });
  const { metadataKey: key, metadataValue: value } = wanted;
  const found = await posts(db)
    .find({
      business_id: owner.businessId,
      organization_id: owner.organizationId,
      published_at: timesOf(range),
      [path]: { $type: 'number' },
      ...(wanted.platform !== '' && { platform: wanted.platform as never }),
      ...(wanted.mediaType !== '' && { media_type: wanted.mediaType }),
      ...(key !== undefined && { metadata: { $elemMatch: { key, ...(value !== undefined && { value }) } } }),
    })
    .sort({ [path]: -1, _id: 1 })
    .limit(wanted.limit)
    .toArray();
  return found.flatMap(({ latest, published_at: publishedAt, ...post }) =>
    latest && publishedAt
      ? [
          {
            postId: post.post_id,
            integrationId: post.integration_id,
            platform: post.platform,
            publishId: post.publish_id ?? '',
            postUrl: post.post_url ?? '',
            publishedAt,
            value: Number(path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], { latest })),
            stats: postStatsFrom(latest.numbers, latest.taken_at),
            ageHours: latest.age,
          },
        ]
      : [],
  );
}
