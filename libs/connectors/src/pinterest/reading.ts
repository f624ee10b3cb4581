import type { Call } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { at, listAt, requiredAt, stringAt, webUrl } from '../calls/fields.ts';
import { dayIn, daysAfter, endOfDay, splitDays } from '../reading/day-range.ts';
import { idsLike } from '../reading/ids.ts';
import { countAt, ratioOf, scaled, sumOfKnown, UNKNOWN_AUDIENCE, UNKNOWN_STATISTICS, UNKNOWN_TOTALS } from '../reading/statistics.ts';
import { isForbidden, readPartly } from '../reading/read-partly.ts';
import { requiredList, requiredObject } from '../reading/required.ts';
import { createdWithin, isPast } from '../reading/created-within.ts';
import type { AccountWanted, Audience, PlatformPost, PostStatistics, ReadCall, Reading, Series } from '../reading/reading.ts';
import { sharesOf } from '../reading/shares.ts';
import { AUDIENCE_SCOPE } from './limits.ts';
import { pinterestCall } from './pinterest-call.ts';
import { DAYS, readingRules } from './reading-rules.ts';
import { withZone } from './times.ts';

const VIDEO_METRICS = ['VIDEO_MRC_VIEW', 'VIDEO_START', 'QUARTILE_95_PERCENT_VIEW', 'VIDEO_V50_WATCH_TIME', 'VIDEO_AVG_WATCH_TIME'];
const NOT_A_BUSINESS = 'Pinterest provides analytics only for business accounts.';
const NO_AUDIENCE_SCOPE = `Pinterest provides the audience only for accounts that were connected with the permission ${AUDIENCE_SCOPE}.`;
const NO_AD_ACCOUNT = 'Pinterest provides the audience only for accounts that own an ad account.';
const NO_INSIGHTS = 'Pinterest has no insights into the audience of this account.';
/** Others, such as `unspecified`, are `UNKNOWN`. */
const GENDERS: Readonly<Record<string, string>> = { female: 'FEMALE', male: 'MALE' };

export const reading: Reading = {
  rules: readingRules,

  async readAccount(call, wanted) {
    const user = await pinterestCall(call, { method: 'GET', path: '/user_account' });
    const isBusiness = requiredAt(user, 'account_type') !== 'PINNER';
    const { read, reasons } = readPartly('Pinterest');
    const analytics = isBusiness ? await read(readAnalytics(call, wanted), undefined) : undefined;
    const { audience, lack } = isBusiness ? await read(readAudience(call), withoutAudience()) : withoutAudience(NOT_A_BUSINESS);
    const total = (name: string) => sumOfKnown((analytics?.get(name) ?? []).map(({ value }) => value));
    return {
      ...UNKNOWN_TOTALS,
      followers: countAt(user, 'follower_count'),
      following: countAt(user, 'following_count'),
      postsCount: countAt(user, 'pin_count'),
      impressions: total('IMPRESSION'),
      websiteClicks: total('OUTBOUND_CLICK'),
      audience,
      series: wanted.metrics.flatMap((name): Series[] => {
        const values = analytics?.get(name);
        return values === undefined ? [] : [{ name, period: 'day', values }];
      }),
      rawMetrics: {
        ...Object.fromEntries([...(analytics?.keys() ?? [])].map((name) => [name, total(name)])),
        monthly_views: countAt(user, 'monthly_views'),
      },
      unavailable: [...reasons, ...(lack === undefined ? [] : [lack])],
    };
  },

  async listPosts(call, { from, until, pageSize, cursor }) {
    const query = { page_size: pageSize, bookmark: cursor, pin_metrics: 'true' };
    const page = await pinterestCall(call, { method: 'GET', path: '/pins', query });
    const pins = requiredList(page, 'items').flatMap((pin) => toPost(pin, statisticsOf(pin)));
    // Newest first; Pinterest has no filter by time.
    const posts = pins.filter(createdWithin({ from, until }));
    const isOver = isPast(pins, { from });
    const next = isOver ? undefined : stringAt(page, 'bookmark');
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

interface AudienceRead {
  readonly audience: Audience;
  /** Why there is none, one sentence for people. */
  readonly lack: string | undefined;
}

const withoutAudience = (lack?: string): AudienceRead => ({ audience: UNKNOWN_AUDIENCE, lack });

/** The people who saw pins of the account in the last 30 days. */
async function readAudience(call: ReadCall): Promise<AudienceRead> {
  if (!call.scopes.includes(AUDIENCE_SCOPE)) return withoutAudience(NO_AUDIENCE_SCOPE);
  // The audience of a shared ad account is that of its owner.
  const query = { page_size: 1, include_shared_accounts: 'false' };
  const adAccounts = requiredList(await pinterestCall(call, { method: 'GET', path: '/ad_accounts', query }), 'items');
  if (adAccounts.length === 0) return withoutAudience(NO_AD_ACCOUNT);
  const path = `/ad_accounts/${encodeURIComponent(requiredAt(adAccounts[0], 'id'))}/audience_insights`;
  const type = { audience_insight_type: 'YOUR_TOTAL_AUDIENCE' };
  const insights = await unlessInvalid(pinterestCall(call, { method: 'GET', path, query: type }));
  if (insights === undefined) return withoutAudience(NO_INSIGHTS);
  // Any part of the insights may be missing if Pinterest has no data for it.
  requiredAt(insights, 'type');
  const shares = (name: string, bucketOf: (key: string) => string) =>
    sharesOf(
      listAt(insights, 'demographics', name).flatMap((one) => {
        const key = stringAt(one, 'key');
        return key === undefined ? [] : [[bucketOf(key), countAt(one, 'ratio')] as const];
      }),
    );
  const age = shares('ages', (key) => key);
  const gender = shares('genders', (key) => GENDERS[key.toLowerCase()] ?? 'UNKNOWN');
  return { audience: { ...UNKNOWN_AUDIENCE, age, gender }, lack: undefined };
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
/** Pinterest does not document its error for an audience that is too small. */
const unlessInvalid = unless((failure) => failure.class === 'validation');
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
