import { at, numberAt, stringAt, webUrl } from '../calls/fields.ts';
import { isForbidden } from '../reading/read-partly.ts';
import type { PlatformPost, PostStatistics, ReadCall } from '../reading/reading.ts';
import { requiredList } from '../reading/required.ts';
import { countAt, scaled, UNKNOWN_STATISTICS } from '../reading/statistics.ts';
import { fromLittleText } from '../text/little-text.ts';
import { linkedinGet } from './linkedin-call.ts';
import { mediaOf, readMedia } from './read-media.ts';

/** The path of the statistics of an organization's posts; it ends with the organization. */
export const SHARE_STATISTICS = '/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=';

/** Posts with their statistics, which LinkedIn gives for several at once. */
export async function withStatistics(call: ReadCall, posts: readonly unknown[]): Promise<PlatformPost[]> {
  const ids = posts.flatMap((post) => stringAt(post, 'id') ?? []);
  const statistics = new Map<string, unknown>();
  for (const [parameter, kind] of [
    ['shares', 'urn:li:share:'],
    ['ugcPosts', 'urn:li:ugcPost:'],
  ] as const) {
    const some = ids.filter((id) => id.startsWith(kind));
    if (some.length === 0) continue;
    const list = `&${parameter}=List(${some.map(encodeURIComponent).join(',')})`;
    const response = await linkedinGet(call, { path: `${SHARE_STATISTICS}${encodeURIComponent(call.account.accountId)}${list}` });
    for (const element of requiredList(response, 'elements')) {
      const id = stringAt(element, 'share') ?? stringAt(element, 'ugcPost');
      if (id !== undefined) statistics.set(id, at(element, 'totalShareStatistics'));
    }
  }
  const media = await readMedia(call, posts);
  const read: PlatformPost[] = [];
  for (const post of posts) {
    const publishId = stringAt(post, 'id');
    if (publishId === undefined) continue;
    const video = stringAt(post, 'content', 'media', 'id')?.startsWith('urn:li:video:') === true ? await readVideo(call, publishId) : {};
    read.push(toPost(publishId, post, media, { ...statisticsOf(statistics.get(publishId)), ...video }));
  }
  return read;
}

function statisticsOf(statistics: unknown): PostStatistics {
  return {
    ...UNKNOWN_STATISTICS,
    likes: countAt(statistics, 'likeCount'),
    commentCount: countAt(statistics, 'commentCount'),
    shares: countAt(statistics, 'shareCount'),
    clicks: countAt(statistics, 'clickCount'),
    impressions: countAt(statistics, 'impressionCount'),
    reach: countAt(statistics, 'uniqueImpressionsCount'),
  };
}

/** Only administrators of the page may read video analytics. */
async function readVideo(call: ReadCall, publishId: string): Promise<Partial<PostStatistics>> {
  const read = async (type: string) => {
    const query = { q: 'entity', entity: publishId, type };
    const response = await linkedinGet(call, { path: '/videoAnalytics', query });
    requiredList(response, 'elements');
    return countAt(response, 'elements', 0, 'value');
  };
  try {
    const [views, watched, watchedByViews] = await Promise.all([
      read('VIDEO_VIEW'),
      read('TIME_WATCHED'),
      read('TIME_WATCHED_FOR_VIDEO_VIEWS'),
    ]);
    return { views, totalWatchTimeMs: watched, avgWatchTimeMs: views === null || views === 0 ? null : scaled(watchedByViews, 1 / views) };
  } catch (error) {
    if (isForbidden(error)) return {};
    throw error;
  }
}

function toPost(publishId: string, post: unknown, media: ReadonlyMap<string, unknown>, stats: PostStatistics): PlatformPost {
  const published = numberAt(post, 'publishedAt') ?? numberAt(post, 'createdAt');
  const content = at(post, 'content');
  const [kind = ''] = typeof content === 'object' && content !== null ? Object.keys(content) : [];
  const isVideo = stringAt(content, 'media', 'id')?.startsWith('urn:li:video:') === true;
  const { shown, card } = mediaOf(post);
  const urlOf = (urn: string | undefined) => webUrl(stringAt(media.get(urn ?? ''), 'downloadUrl'));
  const mediaUrls = shown.flatMap((urn) => urlOf(urn) ?? []);
  const thumbnailUrl = isVideo ? webUrl(stringAt(media.get(shown[0] ?? ''), 'thumbnail')) : (mediaUrls[0] ?? urlOf(card));
  return {
    publishId,
    createdAt: published === undefined ? null : new Date(published),
    caption: fromLittleText(stringAt(post, 'commentary') ?? ''),
    title: stringAt(content, 'media', 'title') ?? stringAt(content, 'article', 'title') ?? '',
    permalinkUrl: `https://www.linkedin.com/feed/update/${publishId}/`,
    thumbnailUrl: thumbnailUrl ?? '',
    mediaUrls,
    altText: stringAt(content, 'media', 'altText') ?? '',
    mediaType: isVideo ? 'video' : (MEDIA_TYPES[kind] ?? 'text'),
    type: kind || 'text',
    stats,
  };
}

const MEDIA_TYPES: Readonly<Record<string, PlatformPost['mediaType']>> = { media: 'image', multiImage: 'album', article: 'link' };
