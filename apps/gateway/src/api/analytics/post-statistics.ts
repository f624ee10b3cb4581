import { z } from 'zod';
import { timestamp } from '../common/timestamp.ts';

const count = (description: string) => z.number().nullable().meta({ description });

/** How an engagement rate is computed, in the summary and in the ranking. */
export const ENGAGEMENT_RATE =
  'Engagements (likes, comments, shares and saves) divided by impressions. For a post without known impressions, as on platforms that count only views, its views count as impressions. Posts for which engagements, or both impressions and views, are unknown are left out.';

/** The statistics of a post. */
export const postStatistics = z
  .object({
    fetched_at: timestamp().meta({ description: 'When Fanfare read the statistics from the platform.' }),
    likes: count('Likes and other reactions.'),
    comment_count: count('Comments.'),
    impressions: count('How often the post was shown.'),
    shares: count('How often the post was shared.'),
    reach: count('How many people saw the post.'),
    saves: count('How often the post was saved.'),
    clicks: count('Clicks on the post.'),
    views: count('How often the post was viewed or played.'),
    video_duration_ms: count('The length of the video in milliseconds.'),
    avg_watch_time_ms: count('How long the video was watched on average, in milliseconds.'),
    total_watch_time_ms: count('How long the video was watched in total, in milliseconds.'),
    completion_rate: count('The share of views that reached the end of the video, from 0 to 1.'),
    video_views_organic: count('Video views without advertising.'),
    video_views_paid: count('Video views from advertising.'),
  })
  .meta({ id: 'PostStatistics', description: 'Statistics of a post since it was published. null means unknown, never zero.' });

export type PostStatistics = z.input<typeof postStatistics>;

/** The columns of a table with these statistics. */
export const STATISTIC_NAMES = Object.keys(postStatistics.shape).filter((name) => name !== 'fetched_at') as (keyof PostStatistics)[];
