import type { Call } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { at, listAt, requiredAt, stringAt, webUrl } from '../calls/fields.ts';
import { dayIn, daysAfter, endOfDay, splitDays } from '../reading/day-range.ts';
import { idsLike } from '../reading/ids.ts';
import { countAt, ratioOf, scaled, sumOfKnown, UNKNOWN_AUDIENCE, UNKNOWN_STATISTICS, UNKNOWN_TOTALS } from '../reading/statistics.ts';
import { isForbidden } from '../reading/read-partly.ts';
import { requiredList, requiredObject } from '../reading/required.ts';
import type { AccountWanted, PlatformPost, PostStatistics, ReadCall, Reading, Series } from '../reading/reading.ts';
import { pinterestCall } from './pinterest-call.ts';
import { DAYS, readingRules } from './reading-rules.ts';
import { withZone } from './times.ts';

const VIDEO_METRICS = ['VIDEO_MRC_VIEW', 'VIDEO_START', 'QUARTILE_95_PERCENT_VIEW', 'VIDEO_V50_WATCH_TIME', 'VIDEO_AVG_WATCH_TIME'];
const NOT_A_BUSINESS = 'Pinterest provides analytics only for business accounts.';

export const reading: Reading = {
  rules: readingRules,

  async readAccount(call, wanted) {
    const user = await pinterestCall(call, { method: 'GET', path: '/user_account' });
    const isBusiness = requiredAt(user, 'account_type') !== 'PINNER';
    let reason = isBusiness ? undefined : NOT_A_BUSINESS;
    const analytics = isBusiness
      ? await readAnalytics(call, wanted).catch((error: unknown) => {
          if (!isForbidden(error)) throw error;
          reason = `Pinterest does not allow reading the analytics of this account: ${error.message}`;
          return undefined;
        })
      : undefined;
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
      unavailable: reason === undefined ? [] : [reason],
    };
  },

  async listPosts(call, { from, until, pageSize, cursor }) {
    const query = { page_size: pageSize, bookmark: cursor, pin_metrics: 'true' };
    const page = await pinterestCall(call, { method: 'GET', path: '/pins', query });
    const pins = requiredList(page, 'items').flatMap((pin) => toPost(pin, statisticsOf(pin)));
    // Newest first; Pinterest has no filter by time.
    const posts = pins.filter(({ createdAt }) => createdAt === null || ((!from || createdAt >= from) && (!until || createdAt < until)));
    const isPast = from !== undefined && pins.some(({ createdAt }) => createdAt !== null && createdAt < from);
    const next = isPast ? undefined : stringAt(page, 'bookmark');
    return { posts, totalCount: null, ...(next !== undefined && { next }) };
  },

  async readPosts(call, publishIds) {
    const posts: PlatformPost[] = [];
    for (const publishId of idsLike(/^\d+$/, publishIds)) {
      const path = `/pins/${encodeURIComponent(publishId)}`;
      const pin = await unlessMissing(pinterestCall(call, { method: 'GET', path, query: { pin_metrics: 'true' } }));
      if (pin === undefined || at(pin, 'is_owner') === false) continue;
      requiredAt(pin, 'id');
      posts.push(...toPost(pin, statisticsOf(pin, await unlessRejected(readSummary(call, path, pin)))));
    }
    return posts;
  },
};

/** The daily statistics of a range, by metric. Days that Pinterest is still counting are unknown. */
async function readAnalytics(call: Call, wanted: AccountWanted): Promise<ReadonlyMap<string, Series['values']>> {
  const names = [...new Set([...wanted.metrics, 'IMPRESSION', 'OUTBOUND_CLICK'])];
  const values = new Map<string, Series['values'][number][]>(names.map((name) => [name, []]));
  for (const part of splitDays(wanted, DAYS)) {
    const query = { start_date: part.start, end_date: part.end, metric_types: names.join(',') };
    const response = await pinterestCall(call, { method: 'GET', path: '/user_account/analytics', query });
    for (const day of requiredList(response, 'all', 'daily_metrics')) {
      const date = dayIn(at(day, 'date'));
      if (date === undefined) continue;
      const endTime = endOfDay(date, readingRules.timeZone);
      const isReady = stringAt(day, 'data_status') === 'READY';
      for (const name of names) values.get(name)?.push({ endTime, value: isReady ? countAt(day, 'metrics', name) : null });
    }
  }
  return values;
}

/** Saves, and what only videos have, since the pin exists. Pinterest keeps these for 90 days: those of older pins are unknown. */
async function readSummary(call: ReadCall, path: string, pin: unknown): Promise<unknown> {
  const start = createdAt(pin)?.toISOString().slice(0, 10);
  if (start === undefined || start <= daysAfter(call.today, -DAYS)) return undefined;
  const query = {
    start_date: start,
    end_date: start > call.today ? start : call.today,
    metric_types: ['SAVE', ...(isVideo(pin) ? VIDEO_METRICS : [])].join(','),
  };
  return requiredObject(await pinterestCall(call, { method: 'GET', path: `${path}/analytics`, query }), 'all', 'summary_metrics');
}

const unless =
  (isExpected: (failure: PlatformFailure) => boolean) =>
  <T>(reading: Promise<T>): Promise<T | undefined> =>
    reading.catch((error: unknown) => {
      if (error instanceof PlatformFailure && isExpected(error)) return undefined;
      throw error;
    });
/** A 404 of a proxy does not mean that the pin does not exist. */
const isMissing = (failure: PlatformFailure) => failure.class !== 'transient' && failure.detail['status'] === 404;
const unlessMissing = unless(isMissing);
const unlessRejected = unless((failure) => isForbidden(failure) || isMissing(failure));

function toPost(pin: unknown, stats: PostStatistics): PlatformPost[] {
  const publishId = stringAt(pin, 'id');
  if (publishId === undefined) return [];
  const images = [at(pin, 'media'), ...listAt(pin, 'media', 'items')].map(imagesOf);
  return [
    {
      publishId,
      createdAt: createdAt(pin),
      caption: stringAt(pin, 'description') ?? '',
      title: stringAt(pin, 'title') ?? '',
      permalinkUrl: `https://www.pinterest.com/pin/${publishId}/`,
      thumbnailUrl: images.flat()[0] ?? '',
      mediaUrls: images.flatMap((sizes) => sizes.slice(-1)),
      altText: stringAt(pin, 'alt_text') ?? '',
      mediaType: isVideo(pin) ? 'video' : stringAt(pin, 'media', 'media_type')?.startsWith('multiple_') ? 'album' : 'image',
      type: stringAt(pin, 'creative_type') ?? '',
      stats,
    },
  ];
}

const isVideo = (pin: unknown): boolean => stringAt(pin, 'media', 'media_type') === 'video';

function createdAt(pin: unknown): Date | null {
  const created = new Date(withZone(stringAt(pin, 'created_at')) ?? NaN);
  return Number.isNaN(created.getTime()) ? null : created;
}

/** All sizes of an image, smallest first; of a video, those of its cover. */
function imagesOf(media: unknown): string[] {
  const sizes = Object.values(at(media, 'images') ?? {}).map((size) => stringAt(size, 'url'));
  return [...sizes, stringAt(media, 'cover_image_url')].flatMap((url) => webUrl(url) ?? []);
}

/** @param summary of the last 90 days, for what has no lifetime number */
function statisticsOf(pin: unknown, summary?: unknown): PostStatistics {
  const lifetime = (name: string) => countAt(pin, 'pin_metrics', 'lifetime_metrics', name);
  const recent = (name: string) => countAt(summary, name);
  return {
    ...UNKNOWN_STATISTICS,
    likes: lifetime('reaction'),
    commentCount: lifetime('comment'),
    impressions: lifetime('impression'),
    saves: lifetime('save') ?? recent('SAVE'),
    clicks: lifetime('clickthrough'),
    views: recent('VIDEO_MRC_VIEW'),
    videoDurationMs: scaled(countAt(pin, 'media', 'duration'), 1),
    avgWatchTimeMs: scaled(recent('VIDEO_AVG_WATCH_TIME'), 1),
    totalWatchTimeMs: recent('VIDEO_V50_WATCH_TIME'),
    completionRate: ratioOf(recent('QUARTILE_95_PERCENT_VIEW'), recent('VIDEO_START')),
  };
}
