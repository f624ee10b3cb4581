import type { PostStats, TargetStats } from '@fanfare/contracts/analytics';
import { isoTime, present } from './required.ts';

/** Statistics of a post on one account. */
export const postStatisticsFromProto = (stats: PostStats) => ({
  fetched_at: isoTime(stats.fetchedAt),
  likes: stats.likes ?? null,
  comment_count: stats.commentCount ?? null,
  impressions: stats.impressions ?? null,
  shares: stats.shares ?? null,
  reach: stats.reach ?? null,
  saves: stats.saves ?? null,
  clicks: stats.clicks ?? null,
  views: stats.views ?? null,
  video_duration_ms: stats.videoDurationMs ?? null,
  avg_watch_time_ms: stats.avgWatchTimeMs ?? null,
  total_watch_time_ms: stats.totalWatchTimeMs ?? null,
  completion_rate: stats.completionRate ?? null,
  video_views_organic: stats.videoViewsOrganic ?? null,
  video_views_paid: stats.videoViewsPaid ?? null,
});

/** Statistics of a post on its accounts. */
export const postStatsFromProto = (postId: string, results: readonly TargetStats[], withHistory: boolean) => ({
  post_id: postId,
  results: results.map(({ target, stats, unavailableReason, history }) => {
    const { integrationId, platform, publishId } = present(target);
    return {
      integration_id: integrationId,
      platform,
      publish_id: publishId || null,
      stats: stats ? postStatisticsFromProto(stats) : null,
      unavailable_reason: unavailableReason || null,
      ...(withHistory && {
        history: history.map(({ ageHours, stats: then }) => ({ age_hours: ageHours, stats: postStatisticsFromProto(present(then)) })),
      }),
    };
  }),
});
