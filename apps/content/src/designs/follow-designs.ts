import { DomainError } from '@fanfare/errors';
import { systemCall } from '@fanfare/rpc';
import { derivedId, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { changePost } from '../editing/change-post.ts';
import { mediaOfDesign } from '../media/design-media.ts';
import { startTelling } from '../news/start-telling.ts';
import type { PostDocument } from '../posts/post.ts';
import { findPostEvenIfDeleted } from '../posts/store/posts.ts';
import { findPostsOfDesign } from '../posts/store/post-designs.ts';
import { designNewsRows, type DesignNewsDocument } from './store/design-news.ts';

/** Gives posts the media that their design has been rendered to since, until they are claimed. */
export function startFollowingDesigns(context: Context): Loop {
  return startTelling(context, {
    name: 'design-news',
    rows: designNewsRows,
    findPosts: ({ _id: designId, business_id: businessId }, afterId, limit) =>
      findPostsOfDesign(context.db, { businessId, designId }, afterId, limit),
    tell: (news, postId) => tell(context, news, postId),
  });
}

async function tell(context: Context, news: DesignNewsDocument, postId: string): Promise<void> {
  const { _id: designId, organization_id: organizationId, business_id: businessId, revision, media_ids } = news;
  const metadata = systemCall('content', { organizationId, businessId, flowId: `design-${designId}-${revision}` });
  const post = await findPostEvenIfDeleted(context.db, metadata, postId);
  if (!post || !isBehind(post, news)) return;
  const request = { operationId: derivedId(designId, `${postId}.${revision}`), postId, expectedRevisions: [] };
  try {
    const media = await mediaOfDesign(context.library, media_ids, { metadata });
    await changePost(context, metadata, request, (before) => {
      if (!isBehind(before, news)) throw new Ahead();
      return { post: { ...before, media, design_revision: revision }, changes: ['POST_CHANGE_UPDATED'] };
    });
  } catch (error) {
    if (error instanceof Ahead) return;
    // It was deleted or claimed meanwhile; or the design has been rendered anew since, of which there are news.
    if (!(error instanceof DomainError) || error.code === 'internal_error') throw error;
    context.log.info({ err: error, post_id: postId, design_id: designId }, 'a post does not follow its design');
  }
}

/** Whether it shows an older rendering, and may still change. */
const isBehind = (post: PostDocument, { _id: designId, revision }: DesignNewsDocument): boolean =>
  post.design_id === designId && !post.deleted_at && post.status !== 'POST_STATUS_PUBLISHED' && (post.design_revision ?? 0) < revision;

/** The post changed meanwhile, and has nothing left to hear. */
class Ahead extends Error {
  override readonly name = 'Ahead';
}
