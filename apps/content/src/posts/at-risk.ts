import { mediaIdsOf } from './needed-media.ts';
import type { PostDocument } from './post.ts';
import { withField } from './with-field.ts';

/** Keeps only the risks that still apply: the post is waiting for its time and still has the media that they are about. */
export function stillAtRisk(post: PostDocument): PostDocument {
  if (!post.at_risk) return post;
  const media = new Set(mediaIdsOf(post));
  const risks = post.at_risk.filter(({ mediaId }) => mediaId === undefined || media.has(mediaId));
  return withField(post, 'at_risk', post.status === 'POST_STATUS_SCHEDULED' && risks.length > 0 ? risks : undefined);
}

/** Adds a risk: media that the post needs were deleted. */
export function withDeletedMedia(post: PostDocument, mediaId: string): PostDocument {
  const others = (post.at_risk ?? []).filter((risk) => risk.mediaId !== mediaId);
  const detail = 'Media of this post was deleted. Replace it or unschedule the post.';
  return { ...post, at_risk: [...others, { code: 'media_deleted', detail, mediaId }] };
}
