import { postStatisticsFromProto, present } from '@fanfare/resources';
import type { PlatformPost } from '@fanfare/contracts/analytics';
import { z } from 'zod';
import type { CsvTable } from '../../http/response/csv.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';
import { STATISTIC_NAMES, postStatistics } from './post-statistics.ts';

const members = {
  publish_id: z.string().meta({ description: "The platform's id of the post." }),
  created_time: timestamp().nullable(),
  platform: z.string(),
  caption: z.string(),
  permalink_url: z.string(),
  title: z.string(),
  thumbnail_url: z.string(),
  media_url: z.string().meta({ description: 'The first of `media_urls`; empty if the post has no media.' }),
  media_urls: z.array(z.string()),
  alt_text: z.string(),
  media_type: z.string().meta({ description: 'image, video, album, text or link; empty if unknown.', example: 'image' }),
  type: z.string().meta({ description: "The platform's own name for this type of post; Unknown if it has none.", example: 'Unknown' }),
  stats: postStatistics,
};

/** A post as its platform returns it. */
export const platformPost = z.object(members).meta({ id: 'PlatformPost' });

export const platformPostStats = z
  .object({
    self: selfLink(),
    ...members,
    unavailable_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why some statistics are missing, as text for people; null if none are missing.' }),
  })
  .meta({ id: 'PlatformPostStats' });

export const platformPostPage = z
  .object({
    self: selfLink(),
    posts: z.array(platformPost),
    next_cursor: z.string().nullable().meta({ description: 'The `cursor` of the next page; null on the last one.' }),
    total_count: z.number().nullable().meta({ description: 'How many posts the account has; null if the platform does not report it.' }),
    unavailable_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why posts or their statistics are missing, as text for people; null if none are missing.' }),
  })
  .meta({ id: 'PlatformPostPage' });

export const platformPostFrom = (post: PlatformPost): z.input<typeof platformPost> => ({
  publish_id: post.publishId,
  created_time: post.createdTime?.toISOString() ?? null,
  platform: post.platform,
  caption: post.caption,
  permalink_url: post.permalinkUrl,
  title: post.title,
  thumbnail_url: post.thumbnailUrl,
  media_url: post.mediaUrls[0] ?? '',
  media_urls: post.mediaUrls,
  alt_text: post.altText,
  media_type: post.mediaType,
  type: post.type || 'Unknown',
  stats: postStatisticsFromProto(present(post.stats)),
});

const COLUMNS = ['publish_id', 'created_time', 'platform', 'type', 'caption', 'permalink_url'] as const;

const rowOf = ({ stats, ...post }: z.input<typeof platformPost>, reason: string | null) => [
  ...COLUMNS.map((name) => post[name]),
  ...STATISTIC_NAMES.map((name) => stats[name]),
  reason,
];

/** The reason why posts or statistics are missing is in every row; in a row of its own if there are no posts. */
export const platformPostTable = ({ posts, unavailable_reason: reason }: z.input<typeof platformPostPage>): CsvTable => [
  [...COLUMNS, ...STATISTIC_NAMES, 'unavailable_reason'],
  ...(posts.length === 0 && reason !== null ? [[...[...COLUMNS, ...STATISTIC_NAMES].map(() => null), reason]] : []),
  ...posts.map((post) => rowOf(post, reason)),
];

export const platformPostStatsTable = ({ unavailable_reason: reason, ...post }: z.input<typeof platformPostStats>): CsvTable => [
  [...COLUMNS, ...STATISTIC_NAMES, 'unavailable_reason'],
  rowOf(post, reason),
];
