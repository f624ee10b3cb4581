import {
  UNKNOWN_STATISTICS,
  type AccountStatistics,
  type AccountWanted,
  type PlatformPost,
  type PostStatistics,
  type Shares,
} from '@fanfare/connectors';
import { PlatformPost as PostMessage, type AccountStats, type PostStats } from '@fanfare/contracts/analytics';

const given = (value: number | null): number | undefined => value ?? undefined;
const shares = (value: Shares): Record<string, number> => ({ ...value });

/** Joins reasons to one text without repetition. Adds missing full stops: many reasons end with a message of the platform. */
const sentences = (reasons: readonly string[]): string =>
  [...new Set(reasons.map((reason) => reason.trim()))].map((reason) => (/[.!?]$/.test(reason) ? reason : `${reason}.`)).join(' ');

export function accountStatsFrom(
  { followers, following, postsCount, impressions, reach, profileViews, websiteClicks, audience, ...rest }: AccountStatistics,
  about: Pick<AccountStats, 'platform' | 'accountId' | 'timeZone'> & { readonly fetchedAt: Date },
  { start, end }: AccountWanted,
): AccountStats {
  return {
    ...about,
    followers: given(followers),
    following: given(following),
    postsCount: given(postsCount),
    impressions: given(impressions),
    reach: given(reach),
    profileViews: given(profileViews),
    websiteClicks: given(websiteClicks),
    audienceAge: shares(audience.age),
    audienceGender: shares(audience.gender),
    audienceCountry: shares(audience.country),
    audienceCity: shares(audience.city),
    audienceIndustry: shares(audience.industry),
    audienceSeniority: shares(audience.seniority),
    audienceFunction: shares(audience.function),
    metrics: rest.series.map(({ name, period, values }) => ({
      name,
      period,
      values: values.map(({ endTime, value }) => ({ endTime, value: given(value) })),
    })),
    rawMetrics: Object.entries(rest.rawMetrics).map(([name, value]) => ({ name, value: given(value) })),
    unavailableReason: sentences(rest.unavailable),
    start,
    end,
  };
}

export const platformPostFrom = (post: PlatformPost, platform: string, fetchedAt: Date): PostMessage => ({
  publishId: post.publishId,
  createdTime: post.createdAt ?? undefined,
  platform,
  caption: post.caption,
  permalinkUrl: post.permalinkUrl,
  title: post.title,
  thumbnailUrl: post.thumbnailUrl,
  mediaUrls: [...post.mediaUrls],
  altText: post.altText,
  mediaType: post.mediaType,
  type: post.type,
  stats: postStatsFrom(post.stats, fetchedAt),
});

export function postStatsFrom(statistics: PostStatistics, fetchedAt: Date): PostStats {
  return {
    fetchedAt,
    likes: given(statistics.likes),
    commentCount: given(statistics.commentCount),
    impressions: given(statistics.impressions),
    shares: given(statistics.shares),
    reach: given(statistics.reach),
    saves: given(statistics.saves),
    clicks: given(statistics.clicks),
    views: given(statistics.views),
    videoDurationMs: given(statistics.videoDurationMs),
    avgWatchTimeMs: given(statistics.avgWatchTimeMs),
    totalWatchTimeMs: given(statistics.totalWatchTimeMs),
    completionRate: given(statistics.completionRate),
    videoViewsOrganic: given(statistics.videoViewsOrganic),
    videoViewsPaid: given(statistics.videoViewsPaid),
  };
}

/** A post of which only the id is known. */
export const unknownPost = (publishId: string, platform: string, fetchedAt: Date): PostMessage => ({
  ...PostMessage.fromPartial({ publishId, platform }),
  stats: postStatsFrom(UNKNOWN_STATISTICS, fetchedAt),
});
