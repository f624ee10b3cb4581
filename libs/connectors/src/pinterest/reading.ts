import type { Call } from '../connector.ts';
import { PlatformFailure } from '../failure.ts';
import { at, listAt, stringAt, webUrl } from '../fields.ts';
import { splitDays } from '../reading/day-range.ts';
import { countAt, ratioOf, sumOfKnown, UNKNOWN_AUDIENCE, UNKNOWN_NUMBERS, UNKNOWN_TOTALS } from '../reading/numbers.ts';
import type { AccountWanted, PlatformPost, PostNumbers, Reading, Series } from '../reading/reading.ts';
import { pinterestCall } from './pinterest-call.ts';
import { DAYS, readingRules } from './reading-rules.ts';

const NOT_A_BUSINESS = 'Pinterest provides analytics only for business accounts.';

export const reading: Reading = {
  rules: readingRules,

  async readAccount(call, wanted) {
    const user = await pinterestCall(call, { method: 'GET', path: '/user_account' });
    const isBusiness = stringAt(user, 'account_type') !== 'PINNER';
    const analytics = isBusiness ? await unlessForbidden(readAnalytics(call, wanted)) : undefined;
    const total = (name: string) => sumOfKnown((analytics?.get(name) ?? []).map(({ value }) => value));
    return {
      ...UNKNOWN_TOTALS,
      followers: countAt(user, 'follower_count'),
      following: countAt(user, 'following_count'),
      postsCount: countAt(user, 'pin_count'),
      impressions: total('IMPRESSION'),
      websiteClicks: total('OUTBOUND_CLICK'),
      audience: UNKNOWN_AUDIENCE,
      series: wanted.metrics.flatMap((name): Series[] => {
        const values = analytics?.get(name);
        return values === undefined ? [] : [{ name, period: 'day', values }];
      }),
      rawMetrics: {
        ...Object.fromEntries([...(analytics?.keys() ?? [])].map((name) => [name, total(name)])),
        monthly_views: countAt(user, 'monthly_views'),
      },
      unavailable: analytics === undefined ? [NOT_A_BUSINESS] : [],
    };
  },

  async listPosts(call, { from, until, pageSize, cursor }) {
    const query = { page_size: pageSize, bookmark: cursor, pin_metrics: 'true' };
    const page = await pinterestCall(call, { method: 'GET', path: '/pins', query });
    const pins = listAt(page, 'items').flatMap((pin) => toPost(pin, lifetimeNumbers(pin)));
    // Newest first; Pinterest has no filter by time.
    const posts = pins.filter(({ createdAt }) => createdAt === null || ((!from || createdAt >= from) && (!until || createdAt < until)));
    const isPast = from !== undefined && pins.some(({ createdAt }) => createdAt !== null && createdAt < from);
    const next = isPast ? undefined : stringAt(page, 'bookmark');
    return { posts, totalCount: null, ...(next !== undefined && { next }) };
  },

  async readPosts(call, publishIds) {
    const posts: PlatformPost[] = [];
    for (const publishId of publishIds) {
      const path = `/pins/${encodeURIComponent(publishId)}`;
      const pin = await unlessMissing(pinterestCall(call, { method: 'GET', path, query: { pin_metrics: 'true' } }));
      if (pin !== undefined && at(pin, 'is_owner') !== false) posts.push(...toPost(pin, lifetimeNumbers(pin)));
    }
    return posts;
  },
};

/** The daily numbers of a range, by metric. Days that Pinterest is still counting are unknown. */
async function readAnalytics(call: Call, wanted: AccountWanted): Promise<ReadonlyMap<string, Series['values']>> {
  const names = [...new Set([...wanted.metrics, 'IMPRESSION', 'OUTBOUND_CLICK'])];
  const values = new Map<string, Series['values'][number][]>(names.map((name) => [name, []]));
  for (const part of splitDays(wanted, DAYS)) {
    const query = { start_date: part.start, end_date: part.end, metric_types: names.join(',') };
    const response = await pinterestCall(call, { method: 'GET', path: '/user_account/analytics', query });
    for (const day of listAt(response, 'all', 'daily_metrics')) {
      const endTime = new Date(`${stringAt(day, 'date')}T23:59:59Z`);
      if (Number.isNaN(endTime.getTime())) continue;
      const isReady = stringAt(day, 'data_status') === 'READY';
      for (const name of names) values.get(name)?.push({ endTime, value: isReady ? countAt(day, 'metrics', name) : null });
    }
  }
  return values;
}

const unless =
  (isExpected: (failure: PlatformFailure) => boolean) =>
  <T>(reading: Promise<T>): Promise<T | undefined> =>
    reading.catch((error: unknown) => {
      if (error instanceof PlatformFailure && isExpected(error)) return undefined;
      throw error;
    });
const unlessForbidden = unless((failure) => failure.class === 'permission');
/** A proxy that responds with 404 knows nothing of pins. */
const unlessMissing = unless((failure) => failure.class !== 'transient' && failure.detail['status'] === 404);

function toPost(pin: unknown, stats: PostNumbers): PlatformPost[] {
  const publishId = stringAt(pin, 'id');
  if (publishId === undefined) return [];
  const created = new Date(stringAt(pin, 'created_at') ?? NaN);
  const images = at(pin, 'media', 'images');
  const urls =
    typeof images === 'object' && images !== null ? Object.values(images).flatMap((one) => webUrl(stringAt(one, 'url')) ?? []) : [];
  const isVideo = stringAt(pin, 'media', 'media_type') === 'video';
  return [
    {
      publishId,
      createdAt: Number.isNaN(created.getTime()) ? null : created,
      caption: stringAt(pin, 'description') ?? '',
      title: stringAt(pin, 'title') ?? '',
      permalinkUrl: `https://www.pinterest.com/pin/${publishId}/`,
      thumbnailUrl: urls[0] ?? '',
      mediaUrls: urls.slice(-1),
      altText: stringAt(pin, 'alt_text') ?? '',
      mediaType: isVideo ? 'video' : 'image',
      type: stringAt(pin, 'creative_type') ?? '',
      stats,
    },
  ];
}

/** Since the pin exists; those of the last 90 days fill in what has no lifetime number. */
function lifetimeNumbers(pin: unknown): PostNumbers {
  const lifetime = (name: string) => countAt(pin, 'pin_metrics', 'lifetime_metrics', name);
  const recent = (name: string) => countAt(pin, 'pin_metrics', '90d', name);
  return {
    ...UNKNOWN_NUMBERS,
    likes: lifetime('reaction'),
    commentCount: lifetime('comment'),
    impressions: lifetime('impression'),
    saves: lifetime('save'),
    clicks: lifetime('clickthrough'),
    views: lifetime('video_mrc_view') ?? recent('video_mrc_view'),
    avgWatchTimeMs: recent('video_avg_watch_time'),
    totalWatchTimeMs: recent('video_v50_watch_time'),
    completionRate: ratioOf(recent('quartile_95_percent_view'), recent('video_start')),
  };
}
