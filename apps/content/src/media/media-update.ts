import type { PlatformOverride, PostMedia, PostMediaFacts } from '@fanfare/contracts/content';
import { withDeletedMedia } from '../posts/at-risk.ts';
import { mediaIdsOf } from '../posts/needed-media.ts';
import type { PostDocument } from '../posts/post.ts';
import { withinRoom } from './media-texts.ts';

/** What the library last said of a media: what to show of it, or that it is deleted. */
export interface MediaNews {
  readonly mediaId: string;
  /** Absent when it is deleted. */
  readonly texts?: Pick<PostMedia, 'description' | 'transcript'>;
  /** Absent also in news that a version before wrote down. */
  readonly facts?: PostMediaFacts;
}

/**
 * The post as it is with news of a media of it; undefined when they change nothing. Its revision and the time of its last change stay: nobody has
 * edited it, and who is about to must not be refused for it. What was published stays as it was published.
 */
export function withMediaNews(post: PostDocument, news: MediaNews): PostDocument | undefined {
  if (post.deleted_at || post.status === 'POST_STATUS_PUBLISHED' || !mediaIdsOf(post).includes(news.mediaId)) return undefined;
  const after = news.texts
    ? withTold(post, news.mediaId, { ...news.texts, ...(news.facts && { facts: news.facts }) })
    : withRisk(post, news.mediaId);
  return after && { ...after, media_revision: (post.media_revision ?? 0) + 1 };
}

function withRisk(post: PostDocument, mediaId: string): PostDocument | undefined {
  if (post.status !== 'POST_STATUS_SCHEDULED' || post.at_risk?.some((risk) => risk.mediaId === mediaId)) return undefined;
  return withDeletedMedia(post, mediaId);
}

function withTold(post: PostDocument, mediaId: string, news: Partial<PostMedia>): PostDocument | undefined {
  const told = (items: PostMedia[]) => items.map((item) => (item.id === mediaId ? { ...item, ...news } : item));
  const { media, overrides } = withinRoom({
    media: told(post.media),
    overrides: post.platform_overrides.map((one): PlatformOverride =>
      one.media ? { ...one, media: { items: told(one.media.items) } } : one,
    ),
  });
  const before = [post.media, post.platform_overrides];
  return JSON.stringify(before) === JSON.stringify([media, overrides]) ? undefined : { ...post, media, platform_overrides: overrides };
}
