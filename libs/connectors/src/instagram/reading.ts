import { PlatformFailure } from '../calls/failure.ts';
import { at, listAt, requiredAt, stringAt, webUrl } from '../calls/fields.ts';
import type { PlatformRequest } from '../calls/http.ts';
import { graphCall } from '../graph/graph-call.ts';
import { nextCursor } from '../graph/graph-login.ts';
import { BEFORE_BUSINESS, type Insight, readInsights } from '../graph/insights.ts';
import { seconds } from '../graph/seconds.ts';
import { daysIn, endOfDay, startOfDay } from '../reading/day-range.ts';
import { idsLike } from '../reading/ids.ts';
import { countAt, sumOfKnown, UNKNOWN_AUDIENCE, UNKNOWN_STATISTICS, UNKNOWN_TOTALS } from '../reading/statistics.ts';
import { mergeNewest, type ReadList } from '../reading/merge-newest.ts';
import { type Missing, notProvided } from '../reading/read-metrics.ts';
import { isForbidden, readPartly } from '../reading/read-partly.ts';
import { readParts } from '../reading/read-parts.ts';
import { createdWithin } from '../reading/created-within.ts';
import type { AccountWanted, DayRange, PlatformPost, PostStatistics, ReadCall, Reading, Series, Shares } from '../reading/reading.ts';
import { requiredList } from '../reading/required.ts';
import { sharesOf } from '../reading/shares.ts';
import { rules } from './errors.ts';
import { DAYS, readingRules } from './reading-rules.ts';

/** The only metric that Instagram has for each day; the others are totals of a range. */
const DAILY = 'reach';
/** Different people on different days are counted once, so that parts of a range do not add up. */
const UNIQUE = ['reach', 'accounts_engaged'];
/** Withdrawn in January 2025, but still in the list of metrics: they may be rejected at any time. */
const WITHDRAWN = ['profile_views', 'website_clicks'];
const MIN_FOLLOWERS = 100;
const GENDERS: Readonly<Record<string, string>> = { F: 'FEMALE', M: 'MALE', U: 'UNKNOWN' };

const MEDIA_FIELDS =
  'id,caption,media_type,media_product_type,media_url,thumbnail_url,permalink,timestamp,alt_text,like_count,comments_count,owner,children{media_url,thumbnail_url}';
const MEDIA_METRICS: Readonly<Record<string, readonly string[]>> = {
  FEED: ['views', 'reach', 'saved', 'shares'],
  REELS: ['views', 'reach', 'saved', 'shares', 'ig_reels_avg_watch_time', 'ig_reels_video_view_total_time'],
  STORY: ['views', 'reach', 'shares'],
};

/** Stories are not among the media of an account, but in a list of their own, for 24 hours. One call reads all of them: a cursor would become invalid when its story leaves. */
const MAX_STORIES = 100;

export const reading: Reading = {
  rules: readingRules,

  async readAccount(call, wanted) {
    const path = `/${call.account.accountId}`;
    const account = await graphCall(
      call,
      { method: 'GET', path, query: { fields: 'id,username,followers_count,follows_count,media_count' } },
      rules,
    );
    requiredAt(account, 'id');
    const followers = countAt(account, 'followers_count');
    const { read, reasons } = readPartly('Instagram');
    const totals = await read(readTotals(call, wanted, [...new Set([...wanted.metrics, 'views', DAILY])]), NO_TOTALS);
    const withdrawn = await read(readTotals(call, wanted, WITHDRAWN), NO_TOTALS);
    const daily = wanted.metrics.includes(DAILY) ? await read(readDaily(call, wanted), NO_DAYS) : NO_DAYS;
    const hasAudience = followers !== null && followers >= MIN_FOLLOWERS;
    return {
      ...UNKNOWN_TOTALS,
      followers,
      following: countAt(account, 'follows_count'),
      postsCount: countAt(account, 'media_count'),
      impressions: totals.values.get('views') ?? null,
      reach: totals.values.get(DAILY) ?? null,
      profileViews: withdrawn.values.get('profile_views') ?? null,
      websiteClicks: withdrawn.values.get('website_clicks') ?? null,
      audience: hasAudience ? await read(readAudience(call), UNKNOWN_AUDIENCE) : UNKNOWN_AUDIENCE,
      series: wanted.metrics.flatMap((name): Series[] => {
        if (name === DAILY) return daily.days.length === 0 ? [] : [{ name, period: 'day', values: daily.days }];
        const value = totals.values.get(name);
        if (value === undefined) return [];
        return [{ name, period: 'range', values: [{ endTime: endOfDay(wanted.end, readingRules.timeZone), value }] }];
      }),
      rawMetrics: Object.fromEntries([...totals.values, ...withdrawn.values]),
      unavailable: [
        ...reasons,
        ...notProvided('Instagram', new Map([...daily.missing, ...totals.missing])),
        ...(totals.notAdded.length > 0
          ? [
              `Instagram counts people for at most ${DAYS} days at once: there is no total of ${totals.notAdded.join(' and ')} for a longer range.`,
            ]
          : []),
        ...(hasAudience ? [] : [`Instagram provides the audience only for accounts with at least ${MIN_FOLLOWERS} followers.`]),
      ],
    };
  },

  async listPosts(call, { from, until, pageSize, cursor }) {
    const reasons = new Set<string>();
    const readEdge = async (edge: string, query: NonNullable<PlatformRequest['query']>) => {
      const path = `/${call.account.accountId}/${edge}`;
      const page = await graphCall(call, { method: 'GET', path, query: { fields: MEDIA_FIELDS, ...query } }, rules);
      return { entries: requiredList(page, 'data').flatMap(toListed), next: nextCursor(page) };
    };
    const media: ReadList<Listed> = (after) => readEdge('media', { limit: pageSize, after, since: seconds(from), until: seconds(until) });
    const stories: ReadList<Listed> = async (after) => {
      try {
        const { entries, next } = await readEdge('stories', { limit: MAX_STORIES, after });
        return {
          entries: entries.filter(createdWithin({ from, until })),
          next,
        };
      } catch (error) {
        if (!isForbidden(error)) throw error;
        reasons.add(`Instagram does not allow reading the stories of this account: ${error.message}`);
        return undefined;
      }
    };
    const { entries, next } = await mergeNewest([media, stories], pageSize, cursor);
    const { posts, unavailable } = await withStatistics(
      call,
      entries.map((one) => one.media),
    );
    if (unavailable !== undefined) reasons.add(unavailable);
    return {
      posts,
      totalCount: null,
      ...(next !== undefined && { next }),
      ...(reasons.size > 0 && { unavailable: [...reasons].join(' ') }),
    };
  },

  async readPosts(call, publishIds) {
    const found: unknown[] = [];
    for (const publishId of idsLike(/^\d+$/, publishIds)) {
      const media = await unlessDeleted(graphCall(call, { method: 'GET', path: `/${publishId}`, query: { fields: MEDIA_FIELDS } }, rules));
      if (media === undefined) continue;
      requiredAt(media, 'id');
      const owner = stringAt(media, 'owner', 'id');
      if (owner === undefined || owner === call.account.accountId) found.push(media);
    }
    return (await withStatistics(call, found)).posts;
  },
};

interface Totals {
  /** Metrics of people, which have no total because the range is too long. */
  readonly notAdded: readonly string[];
  readonly values: ReadonlyMap<string, number | null>;
  readonly missing: ReadonlyMap<string, Missing>;
}

const NO_TOTALS: Totals = { notAdded: [], values: new Map(), missing: new Map() };

/** Totals of a range. Counts of people are known only for ranges that one call covers. A metric that is missing for a part of the range has no total. */
async function readTotals(call: ReadCall, range: DayRange, names: readonly string[]): Promise<Totals> {
  const requested = daysIn(range) <= DAYS ? names : names.filter((name) => !UNIQUE.includes(name));
  const { found, missing } = await readParts(range, DAYS, requested, (part, some) =>
    readInsights(call, `/${call.account.accountId}`, some, { period: 'day', metric_type: 'total_value', ...bounds(part) }),
  );
  const whole = [...found].filter(([name]) => !missing.has(name));
  const notAdded = names.filter((name) => !requested.includes(name));
  return { values: new Map(whole.map(([name, parts]) => [name, sumOfKnown(parts.map(latest))])), missing, notAdded };
}

interface Daily {
  readonly days: Series['values'];
  readonly missing: ReadonlyMap<string, Missing>;
}

const NO_DAYS: Daily = { days: [], missing: new Map() };

/** The days of the parts that Instagram gives; why it rejects others. */
async function readDaily(call: ReadCall, range: AccountWanted): Promise<Daily> {
  const { found, missing } = await readParts(range, DAYS, [DAILY], (part, some) =>
    readInsights(call, `/${call.account.accountId}`, some, { period: 'day', metric_type: 'time_series', ...bounds(part) }),
  );
  const values = (found.get(DAILY) ?? []).flatMap((part) => part.values);
  return { days: values.flatMap(({ endTime, value }) => (endTime === null ? [] : [{ endTime, value }])), missing };
}

async function readAudience(call: ReadCall) {
  const [age, gender, country, city] = await Promise.all(
    ['age', 'gender', 'country', 'city'].map((breakdown) => readShares(call, breakdown)),
  );
  return { ...UNKNOWN_AUDIENCE, age: age ?? null, gender: gender ?? null, country: country ?? null, city: city ?? null };
}

async function readShares(call: ReadCall, breakdown: string): Promise<Shares> {
  const query = { period: 'lifetime', metric_type: 'total_value', breakdown };
  const { found } = await readInsights(call, `/${call.account.accountId}`, ['follower_demographics'], query);
  const results = listAt(found.get('follower_demographics')?.raw, 'total_value', 'breakdowns', 0, 'results');
  return sharesOf(
    results.map((one) => {
      const bucket = stringAt(one, 'dimension_values', 0) ?? '';
      return [breakdown === 'gender' ? (GENDERS[bucket] ?? 'UNKNOWN') : bucket, countAt(one, 'value')] as const;
    }),
  );
}

/** Media with their statistics. Instagram has none for media from before the account became a professional one. */
async function withStatistics(call: ReadCall, media: readonly unknown[]): Promise<{ posts: PlatformPost[]; unavailable?: string }> {
  const posts: PlatformPost[] = [];
  let reason: string | undefined;
  for (const one of media) {
    let unavailable: string | undefined;
    const publishId = stringAt(one, 'id');
    if (publishId === undefined) continue;
    const kind = stringAt(one, 'media_product_type') ?? 'FEED';
    const read = await readInsights(call, `/${publishId}`, MEDIA_METRICS[kind] ?? ['views', 'reach'], {}).catch((error: unknown) => {
      if (!(error instanceof PlatformFailure)) throw error;
      unavailable = reasonOf(error);
      if (unavailable === undefined) throw error;
      return undefined;
    });
    posts.push({ ...toPost(publishId, one, read?.found), ...(unavailable !== undefined && { unavailable }) });
    reason = unavailable ?? reason;
  }
  return { posts, ...(reason !== undefined && { unavailable: reason }) };
}

/** Why media has no statistics; undefined if the failure is another one. */
function reasonOf(failure: PlatformFailure): string | undefined {
  if (failure.detail['subcode'] === BEFORE_BUSINESS)
    return 'Instagram has no statistics of posts from before the account became a professional account.';
  if (!isForbidden(failure)) return undefined;
  if (/not enough viewers/i.test(failure.message)) return 'Instagram has no statistics of stories with fewer than 5 viewers.';
  return `Instagram does not allow reading the statistics of posts: ${failure.message}`;
}

type Listed = Pick<PlatformPost, 'publishId' | 'createdAt'> & { readonly media: unknown };

function toListed(media: unknown): Listed[] {
  const publishId = stringAt(media, 'id');
  return publishId === undefined ? [] : [{ publishId, createdAt: createdAt(media), media }];
}

function createdAt(media: unknown): Date | null {
  const created = new Date(stringAt(media, 'timestamp') ?? NaN);
  return Number.isNaN(created.getTime()) ? null : created;
}

function toPost(publishId: string, media: unknown, insights: ReadonlyMap<string, Insight> | undefined): PlatformPost {
  const children = listAt(media, 'children', 'data');
  const urls = (children.length > 0 ? children : [media]).flatMap((one) => webUrl(stringAt(one, 'media_url')) ?? []);
  const type = stringAt(media, 'media_type') ?? '';
  return {
    publishId,
    createdAt: createdAt(media),
    caption: stringAt(media, 'caption') ?? '',
    title: '',
    permalinkUrl: webUrl(stringAt(media, 'permalink')) ?? '',
    thumbnailUrl: webUrl(stringAt(media, 'thumbnail_url')) ?? urls[0] ?? '',
    mediaUrls: urls,
    altText: stringAt(media, 'alt_text') ?? '',
    mediaType: MEDIA_TYPES[type] ?? '',
    type: stringAt(media, 'media_product_type') ?? type,
    stats: statisticsOf(media, insights),
  };
}

const MEDIA_TYPES: Readonly<Record<string, PlatformPost['mediaType']>> = { IMAGE: 'image', VIDEO: 'video', CAROUSEL_ALBUM: 'album' };

function statisticsOf(media: unknown, insights: ReadonlyMap<string, Insight> | undefined): PostStatistics {
  const of = (name: string) => {
    const insight = insights?.get(name);
    return insight ? latest(insight) : null;
  };
  return {
    ...UNKNOWN_STATISTICS,
    likes: countAt(media, 'like_count'),
    commentCount: countAt(media, 'comments_count'),
    impressions: of('views'),
    views: of('views'),
    reach: of('reach'),
    saves: of('saved'),
    shares: of('shares'),
    avgWatchTimeMs: of('ig_reels_avg_watch_time'),
    totalWatchTimeMs: of('ig_reels_video_view_total_time'),
  };
}

const latest = ({ values }: Insight): number | null => values.at(-1)?.value ?? null;

const OTHER_KIND = /nonexisting field .* on node type/i;

const unlessDeleted = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    // Fields of media were requested for an object that is none, such as an account.
    if (at(error, 'detail', 'subcode') === 33 || OTHER_KIND.test(stringAt(error, 'detail', 'text') ?? '')) return undefined;
    throw error;
  });

const MAX_SECONDS = DAYS * 24 * 3_600;

/** Unix times; `until` is excluded. A range in which clocks are set back is an hour longer than Instagram allows: it begins an hour late. */
function bounds({ start, end }: DayRange) {
  const [since, until] = [startOfDay(start, readingRules.timeZone), endOfDay(end, readingRules.timeZone)].map(
    (time) => time.getTime() / 1_000,
  );
  return { since: Math.max(since ?? 0, (until ?? 0) - MAX_SECONDS), until };
}
