import type { Call } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { at, listAt, stringAt, webUrl } from '../calls/fields.ts';
import { idsLike } from '../reading/ids.ts';
import { countAt, ratioOf, sumOf, UNKNOWN_AUDIENCE, UNKNOWN_STATISTICS, UNKNOWN_TOTALS } from '../reading/statistics.ts';
import { requiredList, requiredObject } from '../reading/required.ts';
import type { PlatformPost, PostStatistics, Reading } from '../reading/reading.ts';
import { noteOf } from './read-posts.ts';
import { type PostWithVideo, withWatchTimes } from './read-watch-times.ts';
import { xCall } from './x-call.ts';
import { readingRules } from './reading-rules.ts';

const MIN_PAGE = 5;

const NO_SERIES = 'X provides only the current numbers of followers, followed accounts and posts, and no statistics over time.';
const PUBLIC = 'created_at,text,entities,attachments,public_metrics';
const PRIVATE = `${PUBLIC},non_public_metrics,organic_metrics,promoted_metrics`;
const MEDIA_PUBLIC = 'url,preview_image_url,duration_ms,alt_text,type,public_metrics';
const MEDIA_PRIVATE = `${MEDIA_PUBLIC},non_public_metrics,organic_metrics,promoted_metrics`;
/** Since version 2.167 of X's description, and before. Since then the author is no field, but an expansion: it is paid for. */
const NAMES = [
  { parameter: 'post.fields', note: 'note_post', author: 'expansions' },
  { parameter: 'tweet.fields', note: 'note_tweet', author: 'fields' },
] as const;

export const reading: Reading = {
  rules: readingRules,

  async readAccount(call) {
    const response = await xCall(call, { method: 'GET', path: '/users/me', query: { 'user.fields': 'public_metrics' } });
    const metrics = requiredObject(response, 'data', 'public_metrics');
    return {
      ...UNKNOWN_TOTALS,
      followers: countAt(metrics, 'followers_count'),
      following: countAt(metrics, 'following_count'),
      postsCount: countAt(metrics, 'post_count') ?? countAt(metrics, 'tweet_count'),
      audience: UNKNOWN_AUDIENCE,
      series: [],
      rawMetrics: Object.fromEntries(['listed_count', 'like_count', 'media_count'].map((name) => [name, countAt(metrics, name)])),
      unavailable: [NO_SERIES],
    };
  },

  async listPosts(call, { from, until, pageSize, cursor }) {
    const { token, skip } = placeOf(cursor);
    const query = {
      max_results: Math.max(MIN_PAGE, pageSize),
      pagination_token: token,
      start_time: from?.toISOString(),
      end_time: until?.toISOString(),
      exclude: 'retweets,replies',
    };
    const response = await readPosts(call, `/users/${call.account.accountId}/tweets`, query);
    // A page without posts has no list of them.
    if (at(response, 'data') === undefined) requiredObject(response, 'meta');
    const all = postsIn(response, call);
    const end = skip + pageSize;
    const next = end < all.length ? `${token ?? ''}:${end}` : stringAt(response, 'meta', 'next_token');
    return { posts: await withWatchTimes(call, all.slice(skip, end)), totalCount: null, ...(next !== undefined && { next }) };
  },

  async readPosts(call, publishIds) {
    const ids = idsLike(/^\d{1,19}$/, publishIds);
    if (ids.length === 0) return [];
    const response = await readPosts(call, '/tweets', { ids: ids.join(',') }, 'author_id');
    if (at(response, 'data') === undefined) requiredList(response, 'errors');
    return withWatchTimes(
      call,
      postsIn(response, call).filter(({ post }) => ids.includes(post.publishId)),
    );
  },
};

/** A cursor is X's token; if X's smallest page is larger than what was asked for, with how many of its posts were returned before. */
function placeOf(cursor: string | undefined): { readonly token: string | undefined; readonly skip: number } {
  const [, token = '', skip = '0'] = /^([^:]*)(?::(\d{1,3}))?$/.exec(cursor ?? '') ?? [];
  return { token: token || undefined, skip: Number(skip) };
}

/** Reads posts with the statistics that only their author can see, and without these if X rejects them. */
async function readPosts(
  call: Call,
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  ...withAuthor: readonly 'author_id'[]
): Promise<unknown> {
  let rejection: unknown;
  let young: unknown;
  for (const { parameter, note, author } of NAMES) {
    for (const [fields, media] of [
      [PRIVATE, MEDIA_PRIVATE],
      [PUBLIC, MEDIA_PUBLIC],
    ]) {
      try {
        const response = await xCall(call, {
          method: 'GET',
          path,
          isLookup: true,
          query: {
            ...query,
            [parameter]: [fields, note, ...(author === 'fields' ? withAuthor : [])].join(','),
            expansions: ['attachments.media_keys', ...(author === 'expansions' ? withAuthor : [])].join(','),
            'media.fields': media,
          },
        });
        if (fields === PUBLIC) return withPrivate(response, young);
        if (!isWithoutOld(response)) return response;
        young = response;
      } catch (error) {
        if (!(error instanceof PlatformFailure) || error.class !== 'validation') throw error;
        rejection = error;
        break;
      }
    }
  }
  throw rejection;
}

/** Every post of a response, with the private statistics of those that were read with them. If media have the same key, the last one is used. */
function withPrivate(response: unknown, young: unknown): unknown {
  const known = new Map(listAt(young, 'data').map((post) => [stringAt(post, 'id'), post]));
  return {
    meta: at(response, 'meta'),
    data: listAt(response, 'data').map((post) => known.get(stringAt(post, 'id')) ?? post),
    includes: { media: [...listAt(response, 'includes', 'media'), ...listAt(young, 'includes', 'media')] },
  };
}

/** Whether posts are missing because they are too old for private statistics: X lists an error for each of them. */
const isWithoutOld = (response: unknown): boolean =>
  listAt(response, 'errors').some((error) => /_metrics/.test(stringAt(error, 'field') ?? stringAt(error, 'detail') ?? ''));

function postsIn(response: unknown, call: Call): PostWithVideo[] {
  const media = new Map(listAt(response, 'includes', 'media').map((one) => [stringAt(one, 'media_key'), one]));
  return listAt(response, 'data').flatMap((post) => {
    const publishId = stringAt(post, 'id');
    const author = stringAt(post, 'author_id');
    if (publishId === undefined || (author !== undefined && author !== call.account.accountId)) return [];
    const attached = listAt(post, 'attachments', 'media_keys').flatMap((key) => media.get(key as string) ?? []);
    const video = stringAt(attached[0], 'type') === 'video' ? stringAt(attached[0], 'media_key') : undefined;
    return [{ post: toPost(publishId, post, attached, call.account.username), ...(video !== undefined && { video }) }];
  });
}

function toPost(publishId: string, post: unknown, attached: readonly unknown[], username: string): PlatformPost {
  const [first] = attached;
  const created = new Date(stringAt(post, 'created_at') ?? NaN);
  const type = stringAt(first, 'type') ?? '';
  return {
    publishId,
    createdAt: Number.isNaN(created.getTime()) ? null : created,
    caption: stringAt(noteOf(post), 'text') ?? stringAt(post, 'text') ?? '',
    title: '',
    permalinkUrl: `https://x.com/${username || 'i/web'}/status/${publishId}`,
    thumbnailUrl: webUrl(stringAt(first, 'preview_image_url') ?? stringAt(first, 'url')) ?? '',
    mediaUrls: attached.flatMap((one) => webUrl(stringAt(one, 'url')) ?? []),
    altText: stringAt(first, 'alt_text') ?? '',
    mediaType: attached.length > 1 ? 'album' : type === 'photo' ? 'image' : type === '' ? 'text' : 'video',
    type: type || 'text',
    stats: statisticsOf(post, first),
  };
}

function statisticsOf(post: unknown, media: unknown): PostStatistics {
  const of = (name: string) => countAt(post, 'public_metrics', name);
  const isVideo = media !== undefined && stringAt(media, 'type') !== 'photo';
  const quotes = of('quote_count');
  return {
    ...UNKNOWN_STATISTICS,
    likes: of('like_count'),
    commentCount: of('reply_count'),
    impressions: of('impression_count'),
    shares: sumOf([of('repost_count') ?? of('retweet_count'), quotes]),
    saves: of('bookmark_count'),
    clicks: countAt(post, 'non_public_metrics', 'url_link_clicks'),
    ...(isVideo && {
      views: countAt(media, 'public_metrics', 'view_count'),
      videoDurationMs: countAt(media, 'duration_ms'),
      completionRate: ratioOf(
        countAt(media, 'non_public_metrics', 'playback_100_count'),
        countAt(media, 'non_public_metrics', 'playback_0_count'),
      ),
      videoViewsOrganic: countAt(media, 'organic_metrics', 'view_count'),
      videoViewsPaid: countAt(media, 'promoted_metrics', 'view_count'),
    }),
  };
}
