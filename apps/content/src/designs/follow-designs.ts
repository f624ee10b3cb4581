import { DomainError } from '@fanfare/errors';
import type { Worker } from '@fanfare/leased-work';
import { systemCall } from '@fanfare/rpc';
import { derivedId } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { changePost } from '../editing/change-post.ts';
import { startFanOut } from '../fan-out/start-fan-out.ts';
import { mediaOfDesign } from '../media/design-media.ts';
import type { PostDocument } from '../posts/post.ts';
import { findPostEvenIfDeleted } from '../posts/store/posts.ts';
import { findPostsOfDesign } from '../posts/store/post-designs.ts';
import { designUpdateRows, type DesignUpdateDocument } from './store/design-updates.ts';

/** Updates posts to the newest rendering of their design, until they are claimed. */
export function startFollowingDesigns(context: Context): Worker {
  return startFanOut(context, {
    name: 'design-updates',
    rows: designUpdateRows,
    findPosts: ({ _id: designId, business_id: businessId }, afterId, limit) =>
      findPostsOfDesign(context.db, { businessId, designId }, afterId, limit),
    updatePost: (update, postId) => updatePost(context, update, postId),
  });
}

async function updatePost(context: Context, update: DesignUpdateDocument, postId: string): Promise<void> {
  const { _id: designId, organization_id: organizationId, business_id: businessId, revision, media_ids } = update;
  const metadata = systemCall('content', { organizationId, businessId, flowId: `design-${designId}-${revision}` });
  const post = await findPostEvenIfDeleted(context.db, metadata, postId);
  if (!post || !isBehind(post, update)) return;
  const request = { operationId: derivedId(designId, `${postId}.${revision}`), postId, expectedRevisions: [] };
  try {
    const media = await mediaOfDesign(context.library, media_ids, { metadata });
    await changePost(context, metadata, request, (before) => {
      if (!isBehind(before, update)) throw new UpToDate();
      return { post: { ...before, media, design_revision: revision }, changes: ['POST_CHANGE_UPDATED'] };
    });
  } catch (error) {
    if (error instanceof UpToDate) return;
    // The post was deleted or claimed in the meantime, or the design has been rendered again and another update follows.
    if (!(error instanceof DomainError) || error.code === 'internal_error') throw error;
    context.log.info(
      { err: error, post_id: postId, design_id: designId },
      'a post keeps the earlier rendering of its design: the post, or the design, has changed meanwhile',
    );
  }
}

/** Whether the post has an older rendering, and may still change. */
const isBehind = (post: PostDocument, { _id: designId, revision }: DesignUpdateDocument): boolean =>
  post.design_id === designId && !post.deleted_at && post.status !== 'POST_STATUS_PUBLISHED' && (post.design_revision ?? 0) < revision;

/** The post has changed in the meantime and needs no update any more. */
class UpToDate extends Error {
  override readonly name = 'UpToDate';
}
