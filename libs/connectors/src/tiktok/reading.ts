import { PlatformFailure } from '../calls/failure.ts';
import { at, stringAt, webUrl } from '../calls/fields.ts';
import { idsLike } from '../reading/ids.ts';
import { countAt, scaled, UNKNOWN_AUDIENCE, UNKNOWN_STATISTICS, UNKNOWN_TOTALS } from '../reading/statistics.ts';
import type { PlatformPost, Reading } from '../reading/reading.ts';
import { requiredList, requiredObject } from '../reading/required.ts';
import { tiktokCall } from './tiktok-call.ts';
import { readingRules } from './reading-rules.ts';

const ACCOUNT_FIELDS = 'open_id,follower_count,following_count,likes_count,video_count';
const VIDEO_FIELDS =
  'id,title,video_description,create_time,duration,cover_image_url,share_url,view_count,like_count,comment_count,share_count';

/** The Display API has only current counters, and no statistics over time. */
const NO_SERIES = 'TikTok provides only the current numbers of followers, followed accounts and videos, and no statistics over time.';

export const reading: Reading = {
  rules: readingRules,

  async readAccount(call) {
    const { json } = await tiktokCall(call, { path: '/user/info/', query: { fields: ACCOUNT_FIELDS } });
    const user = requiredObject(json, 'data', 'user');
    return {
      ...UNKNOWN_TOTALS,
      followers: countAt(user, 'follower_count'),
      following: countAt(user, 'following_count'),
      postsCount: countAt(user, 'video_count'),
      audience: UNKNOWN_AUDIENCE,
      series: [],
      rawMetrics: Object.fromEntries(['likes_count', 'video_count'].map((name) => [name, countAt(user, name)])),
      unavailable: [NO_SERIES],
    };
  },

  async listPosts(call, { from, until, pageSize, cursor }) {
    // The cursor is a time, so that a list can start anywhere.
    const start = cursor === undefined ? until?.getTime() : cursorIn(cursor);
    const { json } = await tiktokCall(call, {
      path: '/video/list/',
      query: { fields: VIDEO_FIELDS },
      json: { max_count: pageSize, ...(start !== undefined && { cursor: start }) },
    });
    const data = at(json, 'data');
    const posts = requiredList(data, 'videos').flatMap(toPost);
    const recent = posts.filter(({ createdAt }) => from === undefined || createdAt === null || createdAt >= from);
    const next = at(data, 'cursor');
    const goesOn = at(data, 'has_more') === true && recent.length === posts.length && typeof next === 'number';
    return { posts: recent, totalCount: null, ...(goesOn && { next: String(next) }) };
  },

  async readPosts(call, publishIds) {
    const video_ids = idsLike(/^\d+$/, publishIds);
    if (video_ids.length === 0) return [];
    const filters = { video_ids };
    const { json } = await tiktokCall(call, { path: '/video/query/', query: { fields: VIDEO_FIELDS }, json: { filters } });
    return requiredList(json, 'data', 'videos').flatMap(toPost);
  },
};

function cursorIn(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) {
    throw new PlatformFailure('validation', 'This cursor does not come from this list.', {
      effect: 'not_sent',
      detail: { param: 'cursor' },
    });
  }
  return Number(cursor);
}

/** Only the URL distinguishes photos from videos. */
const kindOf = (url = ''): Pick<PlatformPost, 'mediaType' | 'type'> =>
  url.includes('/photo/') ? { mediaType: 'image', type: 'photo' } : { mediaType: 'video', type: 'video' };

function toPost(video: unknown): PlatformPost[] {
  const publishId = stringAt(video, 'id');
  if (publishId === undefined) return [];
  const kind = kindOf(stringAt(video, 'share_url'));
  const created = countAt(video, 'create_time');
  return [
    {
      publishId,
      createdAt: created === null ? null : new Date(created * 1_000),
      caption: stringAt(video, 'video_description') ?? '',
      title: stringAt(video, 'title') ?? '',
      permalinkUrl: webUrl(stringAt(video, 'share_url')) ?? '',
      thumbnailUrl: webUrl(stringAt(video, 'cover_image_url')) ?? '',
      mediaUrls: [],
      altText: '',
      ...kind,
      stats: {
        ...UNKNOWN_STATISTICS,
        likes: countAt(video, 'like_count'),
        commentCount: countAt(video, 'comment_count'),
        shares: countAt(video, 'share_count'),
        views: countAt(video, 'view_count'),
        // Photos are sent with a duration of 0.
        videoDurationMs: kind.mediaType === 'video' ? scaled(countAt(video, 'duration'), 1_000) : null,
      },
    },
  ];
}
