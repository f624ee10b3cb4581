import type { PlatformOverride } from '@fanfare/contracts/content';
import type { PostDocument } from '../store/posts.ts';
import { isBeingSent } from './claim.ts';

/** Every media that a post names, once: its own, its overrides' and its cover. */
export function mediaIdsOf(post: Pick<PostDocument, 'media' | 'platform_overrides' | 'cover_media_id'>): string[] {
  const overrides = post.platform_overrides.flatMap(({ media }: PlatformOverride) => media?.items ?? []);
  const ids = [...post.media, ...overrides].map(({ id }) => id);
  return [...new Set(post.cover_media_id === undefined ? ids : [...ids, post.cover_media_id])];
}

/** Media that must not go while the post stands as it does: it waits for its time, or is being sent. */
export function neededMediaIds(post: PostDocument): string[] {
  if (post.deleted_at || (post.status !== 'POST_STATUS_SCHEDULED' && !isBeingSent(post))) return [];
  return mediaIdsOf(post);
}
