import type { Worker } from '@fanfare/leased-work';
import type { Context } from '../context.ts';
import { startFanOut } from '../fan-out/start-fan-out.ts';
import { findPostsWithMedia } from '../posts/store/post-media.ts';
import { findPostsById } from '../posts/store/posts.ts';
import { saveUnedited } from '../risks/save-unedited.ts';
import { withMediaUpdate, type MediaUpdate } from './media-update.ts';
import { mediaUpdateRows } from './store/media-updates.ts';

/** Writes changes of media to the posts that have them. */
export function startFollowingMedia(context: Context): Worker {
  return startFanOut(context, {
    name: 'media-updates',
    rows: mediaUpdateRows,
    findPosts: ({ _id: mediaId, business_id: businessId }, afterId, limit) =>
      findPostsWithMedia(context.db, { businessId, mediaId }, afterId, limit),
    updatePost: ({ _id: mediaId, revision, texts, facts }, postId) =>
      updatePost(context, postId, { mediaId, ...(texts && { texts }), ...(facts && { facts }) }, `media-${mediaId}-${revision}`),
  });
}

/** A concurrent edit or claim of the post conflicts with this write, and is decided again. */
async function updatePost(context: Context, postId: string, update: MediaUpdate, flowId: string): Promise<void> {
  await context.transact(async (session) => {
    const [post] = await findPostsById(context.db, [postId], session);
    const after = post && withMediaUpdate(post, update);
    if (after) await saveUnedited(context, session, post, after, flowId);
  });
}
