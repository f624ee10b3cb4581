import type { PlatformOverride, PostMedia } from '@fanfare/contracts/content';
import { isPublishing } from './is-publishing.ts';
import type { SeriesContent } from '../series/series-content.ts';
import type { PostDocument } from './post.ts';

/** All media of a post, without duplicates: its own, those of its overrides, its cover, and those of the next post of its series. */
export const mediaIdsOf = (post: PostDocument): string[] => [
  ...new Set([...mediaIdsIn(post), ...(post.next_content ? mediaIdsIn(post.next_content) : [])]),
];

function mediaIdsIn(post: SeriesContent): string[] {
  const overrides = post.platform_overrides.flatMap(({ media }: PlatformOverride) => media?.items ?? []);
  const ids = [...post.media, ...overrides].map(({ id }) => id);
  return post.cover_media_id === undefined ? ids : [...ids, post.cover_media_id];
}

/**
 * The request parameter of the first place in which a post has the media.
 * @param given the request parameters that set media, such as `media_urls` and `platform_overrides.0.media_ids`
 */
export function paramOfMedia(post: PostDocument, mediaId: string, given: readonly string[]): string {
  const own = given.includes('media_urls') ? 'media_urls' : 'media_ids';
  const placeIn = (media: readonly PostMedia[]) => media.findIndex(({ id }) => id === mediaId);
  const place = placeIn(post.media);
  if (place !== -1) return given.includes('design_id') ? 'design_id' : `${own}.${place}`;
  for (const [index, { media }] of post.platform_overrides.entries()) {
    const there = placeIn(media?.items ?? []);
    const ids = `platform_overrides.${index}.media_ids`;
    if (there !== -1) return `${given.includes(ids) ? ids : `platform_overrides.${index}.media_urls`}.${there}`;
  }
  return 'cover_media_id';
}

/** The media that must not be deleted: those of a post that is scheduled or being published. */
export function neededMediaIds(post: PostDocument): string[] {
  if (post.deleted_at || (post.status !== 'POST_STATUS_SCHEDULED' && !isPublishing(post))) return [];
  return mediaIdsOf(post);
}
