import type { RankedPost } from '@fanfare/contracts/analytics';
import { postStatisticsFromProto, isoTime, present } from '@fanfare/resources';
import { z } from 'zod';
import type { CsvTable } from '../../http/response/csv.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';
import { STATISTIC_NAMES, postStatistics } from './post-statistics.ts';

/** The metrics by which posts can be ranked. */
export const METRICS = ['engagements', 'engagement_rate', ...STATISTIC_NAMES.filter((name) => name !== 'video_duration_ms')] as const;

/** A published post in a ranking. */
export const rankedPosts = z
  .object({
    self: selfLink(),
    items: z.array(
      z
        .object({
          post_id: z.string(),
          integration_id: z.string(),
          platform: z.string(),
          publish_id: z.string().nullable(),
          post_url: z.string().nullable(),
          published_at: timestamp(),
          value: z.number().meta({ description: 'The value of the metric that the posts are ranked by.' }),
          age_hours: z.number().meta({ description: 'The age of the post at its latest snapshot.' }),
          stats: postStatistics,
        })
        .meta({ id: 'RankedPost' }),
    ),
  })
  .meta({ id: 'RankedPosts' });

export const rankedPostsFrom = (posts: readonly RankedPost[]): z.input<typeof rankedPosts> => ({
  items: posts.map((post) => ({
    post_id: post.postId,
    integration_id: post.integrationId,
    platform: post.platform,
    publish_id: post.publishId || null,
    post_url: post.postUrl || null,
    published_at: isoTime(post.publishedAt),
    value: post.value,
    age_hours: Math.round(post.ageHours * 10) / 10,
    stats: postStatisticsFromProto(present(post.stats)),
  })),
});

export const rankedPostsTable = ({ items }: z.input<typeof rankedPosts>): CsvTable => [
  ['post_id', 'integration_id', 'platform', 'publish_id', 'post_url', 'published_at', 'value', 'age_hours', ...STATISTIC_NAMES],
  ...items.map(({ stats, ...post }) => [
    post.post_id,
    post.integration_id,
    post.platform,
    post.publish_id,
    post.post_url,
    post.published_at,
    post.value,
    post.age_hours,
    ...STATISTIC_NAMES.map((name) => stats[name]),
  ]),
];
