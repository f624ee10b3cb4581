import type { Call } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { at, listAt, requiredAt, stringAt, webUrl } from '../calls/fields.ts';
import { graphCall } from '../graph/graph-call.ts';
import { nextCursor } from '../graph/graph-login.ts';
import { type Insight, insightsIn, suspectMetrics } from '../graph/insights.ts';
import { seconds } from '../graph/seconds.ts';
import { idsLike } from '../reading/ids.ts';
import { countAt, ratioOf, scaled } from '../reading/statistics.ts';
import { mergeNewest, type ReadList } from '../reading/merge-newest.ts';
import { readMetrics } from '../reading/read-metrics.ts';
import { isForbidden } from '../reading/read-partly.ts';
import { requiredList } from '../reading/required.ts';
import { createdWithin, isPast } from '../reading/created-within.ts';
import type { PlatformPost, PostStatistics, Reading } from '../reading/reading.ts';

const POST_METRICS = [
  ...[
    'post_media_view',
    'post_total_media_view_unique',
    'post_clicks',
    'post_video_views',
    'post_video_views_organic',
    'post_video_views_paid',
  ],
  ...['post_video_avg_time_watched', 'post_video_view_time', 'post_video_length', 'post_video_complete_views_organic'],
];
const VIDEO_METRICS = ['blue_reels_play_count', 'post_video_avg_time_watched', 'post_video_view_time'];
const COUNTS = 'comments.limit(0).summary(true),reactions.limit(0).summary(true)';
const POST_FIELDS = `id,message,created_time,permalink_url,status_type,full_picture,attachments{media_type,media,url,target,subattachments},shares,${COUNTS}`;
const VIDEO_FIELDS = `id,title,description,created_time,permalink_url,picture,source,length,from,post_id,${COUNTS}`;
/** Some reels are drafts, or not published yet. */
const REEL_FIELDS = `${VIDEO_FIELDS},published`;
type InsightsEdge = 'insights' | 'video_insights';
/** "Object does not exist, cannot be loaded due to missing permissions, or does not support this operation." */
const NO_SUCH_OBJECT = 33;

/** Reels may be missing among the published posts. One that is there is returned as such, because Facebook counts more of a post than of a video. */
export const listPosts: Reading['listPosts'] = async (call, { from, until, pageSize, cursor }) => {
  const reasons = new Set<string>();
  const readEdge = async (name: string, fields: string, edge: InsightsEdge, metrics: readonly string[], after: string | undefined) => {
    const query = { limit: pageSize, after, since: seconds(from), until: seconds(until) };
    const { response, unavailable } = await withInsights(call, `/${call.account.accountId}/${name}`, fields, edge, metrics, query);
    if (unavailable !== undefined) reasons.add(unavailable);
    return { nodes: requiredList(response, 'data'), next: nextCursor(response) };
  };
  const published: ReadList<PlatformPost> = async (after) => {
    const { nodes, next } = await readEdge('published_posts', POST_FIELDS, 'insights', POST_METRICS, after);
    return { entries: nodes.flatMap(toPost), next };
  };
  const reels: ReadList<PlatformPost> = async (after) => {
    try {
      const { nodes, next } = await readEdge('video_reels', REEL_FIELDS, 'video_insights', VIDEO_METRICS, after);
      const all = nodes.flatMap((video) => toReel(call, video));
      // Meta does not document the times of this edge: it may ignore them.
      const entries = all.filter(createdWithin({ from, until }));
      const isOver = isPast(all, { from });
      return { entries, next: isOver ? undefined : next };
    } catch (error) {
      if (isForbidden(error)) reasons.add(`Facebook does not allow reading the reels of this page: ${error.message}`);
      else if (!isUnknownEdge(error)) throw error;
      return undefined;
    }
  };
  const { entries, next } = await mergeNewest([published, reels], pageSize, cursor);
  return {
    posts: entries,
    totalCount: null,
    ...(next !== undefined && { next }),
    ...(reasons.size > 0 && { unavailable: [...reasons].join(' ') }),
  };
};

export const readPosts: Reading['readPosts'] = async (call, publishIds) => {
  const posts: PlatformPost[] = [];
  for (const publishId of idsLike(/^\d+(_\d+)?$/, publishIds)) {
    const found = publishId.includes('_') ? await readPost(call, publishId) : await readVideo(call, publishId);
    if (found) posts.push({ ...found, publishId });
  }
  return posts;
};

async function readPost(call: Call, publishId: string): Promise<PlatformPost | undefined> {
  // The id of a post begins with that of its page.
  if (!publishId.startsWith(`${call.account.accountId}_`)) return undefined;
  const read = await unlessDeleted(withInsights(call, `/${publishId}`, POST_FIELDS, 'insights', POST_METRICS, {}));
  if (!read) return undefined;
  requiredAt(read.response, 'id');
  const [post] = toPost(read.response);
  return post && withReason(post, read.unavailable);
}

/**
 * A video or reel that goes by the id of its video. Its post, if it has one, is among the published posts: both must say the same. What Facebook does not count of the
 * post is that of the video.
 */
async function readVideo(call: Call, publishId: string): Promise<PlatformPost | undefined> {
  const read = await unlessDeleted(withInsights(call, `/${publishId}`, VIDEO_FIELDS, 'video_insights', VIDEO_METRICS, {}));
  if (!read) return undefined;
  requiredAt(read.response, 'id');
  const { accountId } = call.account;
  if (stringAt(read.response, 'from', 'id') !== accountId) return undefined;
  const video = withReason(toVideo(read.response), read.unavailable);
  const postId = stringAt(read.response, 'post_id');
  const post = postId && (await readPost(call, postId.includes('_') ? postId : `${accountId}_${postId}`));
  return post ? { ...post, stats: withKnown(post.stats, video.stats) } : video;
}

const withKnown = (statistics: PostStatistics, other: PostStatistics): PostStatistics => ({
  ...other,
  ...Object.fromEntries(Object.entries(statistics).filter(([, value]) => value !== null)),
});

const withReason = (post: PlatformPost, unavailable: string | undefined): PlatformPost =>
  unavailable === undefined ? post : { ...post, unavailable };

/** Of an id that is not that of a post or video: our fields are not those of a page, and media of Instagram need its permissions. */
const OTHER_KIND = /nonexisting field .* on node type \((?!Video\)|Post\))|requires instagram_/i;

const isOtherKind = ({ detail }: PlatformFailure) => OTHER_KIND.test(stringAt(detail, 'text') ?? '');

/** Of pages that have no reels for the API. */
const NO_EDGE = /unsupported get request|unknown path components|nonexisting field \(video_reels\)/i;

const isUnknownEdge = (error: unknown) => error instanceof PlatformFailure && NO_EDGE.test(stringAt(error.detail, 'text') ?? '');

const unlessDeleted = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (error instanceof PlatformFailure && (error.detail['subcode'] === NO_SUCH_OBJECT || isOtherKind(error))) return undefined;
    throw error;
  });

/** Reads objects together with their insights, without those that Meta has withdrawn, and without any if the person has not granted the permission to read them. */
async function withInsights(
  call: Call,
  path: string,
  fields: string,
  edge: InsightsEdge,
  names: readonly string[],
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<{ response: unknown; unavailable?: string }> {
  const get = (some: readonly string[]) => {
    const expanded = some.length === 0 ? fields : `${fields},${edge}.metric(${some.join(',')})`;
    return graphCall(call, { method: 'GET', path, query: { ...query, fields: expanded } });
  };
  let read: { names: readonly string[]; response: unknown } | undefined;
  try {
    const { rejected } = await readMetrics(
      names,
      async (some) => {
        read = { names: some, response: await get(some) };
        return new Map(some.map((name) => [name, name]));
      },
      suspectMetrics,
    );
    const kept = names.filter((name) => !rejected.has(name));
    const response = read?.names.length === kept.length ? read.response : await get(kept);
    return { response };
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return { response: await get([]), unavailable: `Facebook does not allow reading the statistics of posts: ${error.message}` };
  }
}

function toPost(post: unknown): PlatformPost[] {
  const id = stringAt(post, 'id');
  if (id === undefined) return [];
  const attachments = listAt(post, 'attachments', 'data');
  const [first] = attachments;
  const parts = listAt(first, 'subattachments', 'data');
  const media = (parts.length > 0 ? parts : attachments).flatMap(
    (one) => webUrl(stringAt(one, 'media', 'image', 'src') ?? stringAt(one, 'media', 'source')) ?? [],
  );
  const mediaType = stringAt(first, 'media_type') ?? '';
  return [
    {
      // As at publication: a video goes by the id of the video.
      publishId: (mediaType === 'video' ? stringAt(first, 'target', 'id') : undefined) ?? id,
      ...common(post),
      caption: stringAt(post, 'message') ?? '',
      title: stringAt(first, 'title') ?? '',
      thumbnailUrl: webUrl(stringAt(post, 'full_picture')) ?? '',
      mediaUrls: media,
      altText: '',
      mediaType: parts.length > 1 ? 'album' : (MEDIA_TYPES[mediaType] ?? (attachments.length === 0 ? 'text' : '')),
      type: stringAt(post, 'status_type') ?? '',
      stats: postStatistics(post, insightsIn(at(post, 'insights'))),
    },
  ];
}

const MEDIA_TYPES: Readonly<Record<string, PlatformPost['mediaType']>> = { photo: 'image', video: 'video', album: 'album', link: 'link' };

function toVideo(video: unknown): PlatformPost {
  const insights = insightsIn(at(video, 'video_insights'));
  const views = latest(insights, 'blue_reels_play_count');
  const source = webUrl(stringAt(video, 'source'));
  return {
    publishId: '',
    ...common(video),
    caption: stringAt(video, 'description') ?? '',
    title: stringAt(video, 'title') ?? '',
    thumbnailUrl: webUrl(stringAt(video, 'picture')) ?? '',
    mediaUrls: source === undefined ? [] : [source],
    altText: '',
    mediaType: 'video',
    type: 'video',
    stats: {
      ...postStatistics(video, insights),
      impressions: views,
      views,
      videoDurationMs: scaled(countAt(video, 'length'), 1_000),
    },
  };
}

/** A published reel of the page, by the id of its video. */
function toReel(call: Call, video: unknown): PlatformPost[] {
  const publishId = stringAt(video, 'id');
  const isOther = (stringAt(video, 'from', 'id') ?? call.account.accountId) !== call.account.accountId;
  return publishId === undefined || isOther || at(video, 'published') === false ? [] : [{ ...toVideo(video), publishId }];
}

const common = (object: unknown): Pick<PlatformPost, 'createdAt' | 'permalinkUrl'> => {
  const created = new Date(stringAt(object, 'created_time') ?? NaN);
  const permalink = stringAt(object, 'permalink_url') ?? '';
  return {
    createdAt: Number.isNaN(created.getTime()) ? null : created,
    // Of a video it is a path.
    permalinkUrl: webUrl(permalink.startsWith('/') ? `https://www.facebook.com${permalink}` : permalink) ?? '',
  };
};

function postStatistics(object: unknown, insights: ReadonlyMap<string, Insight>): PostStatistics {
  const of = (name: string) => latest(insights, name);
  const likes = countAt(object, 'reactions', 'summary', 'total_count');
  const commentCount = countAt(object, 'comments', 'summary', 'total_count');
  const isCounted = likes !== null && commentCount !== null && at(object, 'status_type') !== undefined;
  return {
    likes,
    commentCount,
    // Absent for posts without shares.
    shares: countAt(object, 'shares', 'count') ?? (isCounted ? 0 : null),
    impressions: of('post_media_view'),
    reach: of('post_total_media_view_unique'),
    saves: null,
    clicks: of('post_clicks'),
    views: of('post_media_view'),
    videoDurationMs: of('post_video_length'),
    avgWatchTimeMs: of('post_video_avg_time_watched'),
    totalWatchTimeMs: of('post_video_view_time'),
    completionRate: ratioOf(of('post_video_complete_views_organic'), of('post_video_views_organic')),
    videoViewsOrganic: of('post_video_views_organic'),
    videoViewsPaid: of('post_video_views_paid'),
  };
}

const latest = (insights: ReadonlyMap<string, Insight>, name: string): number | null => insights.get(name)?.values.at(-1)?.value ?? null;
