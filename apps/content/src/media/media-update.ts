import type { PlatformOverride, PostMedia, PostMediaFacts } from '@fanfare/contracts/content';
import { withDeletedMedia } from '../posts/at-risk.ts';
import { mediaIdsOf } from '../posts/needed-media.ts';
import type { PostDocument } from '../posts/post.ts';
import { contentOf, withContent } from '../series/series-content.ts';
import { withinRoom } from './media-texts.ts';

/** A change of media in the library: its new texts and facts, or its deletion. */
export interface MediaUpdate {
  readonly mediaId: string;
  /** Absent if the media was deleted. */
  readonly texts?: Pick<PostMedia, 'description' | 'transcript'>;
  /** Also absent in rows of the previous version. */
  readonly facts?: PostMediaFacts;
}

/**
 * The post with a change of one of its media; undefined if that changes nothing. `revision` and `updated_at` stay the same, because no caller has edited the
 * post, and a concurrent edit must not be rejected because of this. A published post does not change.
 */
export function withMediaUpdate(post: PostDocument, update: MediaUpdate): PostDocument | undefined {
  if (post.deleted_at || post.status === 'POST_STATUS_PUBLISHED' || !mediaIdsOf(post).includes(update.mediaId)) return undefined;
  const after = update.texts
    ? withTextsOfBoth(post, update.mediaId, { ...update.texts, ...(update.facts && { facts: update.facts }) })
    : withRisk(post, update.mediaId);
  return after && { ...after, media_revision: (post.media_revision ?? 0) + 1 };
}

function withRisk(post: PostDocument, mediaId: string): PostDocument | undefined {
  if (post.status !== 'POST_STATUS_SCHEDULED' || post.at_risk?.some((risk) => risk.mediaId === mediaId)) return undefined;
  return withDeletedMedia(post, mediaId);
}

/** Also in what the next post of the series takes over. */
function withTextsOfBoth(post: PostDocument, mediaId: string, changed: Partial<PostMedia>): PostDocument | undefined {
  const after = withTexts(post, mediaId, changed);
  const next = post.next_content && withTexts(withContent(post, post.next_content), mediaId, changed);
  return next ? { ...(after ?? post), next_content: contentOf(next) } : after;
}

function withTexts(post: PostDocument, mediaId: string, changed: Partial<PostMedia>): PostDocument | undefined {
  const updated = (items: PostMedia[]) => items.map((item) => (item.id === mediaId ? { ...item, ...changed } : item));
  const { media, overrides } = withinRoom({
    media: updated(post.media),
    overrides: post.platform_overrides.map((one): PlatformOverride =>
      one.media ? { ...one, media: { items: updated(one.media.items) } } : one,
    ),
  });
  const before = [post.media, post.platform_overrides];
  return JSON.stringify(before) === JSON.stringify([media, overrides]) ? undefined : { ...post, media, platform_overrides: overrides };
}
