import { now } from '@fanfare/runtime';
import { checkNewPost, newPost } from '../domain/new-post.ts';
import { createdAs, emitPostChanged } from '../events.ts';
import { postsCreated } from '../metrics.ts';
import { findPostEvenIfDeleted, insertPost, isPostThere, toPost } from '../store/posts.ts';
import { checkIntegrations } from './check-integrations.ts';
import { resolveMedia } from './resolve-media.ts';
import type { Rpc } from './rpc.ts';

export const createPost: Rpc<'createPost'> = (context) => async (request, call) => {
  const { db } = context;
  const { metadata } = call;
  // A repeat: nothing is checked or fetched again, and what was deleted since is not made anew.
  const before = await findPostEvenIfDeleted(db, metadata, request.postId);
  if (before) return { post: toPost(before) };

  checkNewPost(request, now(metadata.organizationId));
  await checkIntegrations(db, metadata.businessId, request.restrictPublishToIntegrationIds);
  const resolved = await resolveMedia(context.library, request, call);
  const document = newPost(request, metadata, resolved, now(metadata.organizationId));
  try {
    await context.transact(async (session) => {
      await insertPost(db, document, session);
      await emitPostChanged(context, session, document, createdAs(document), metadata);
    });
  } catch (error) {
    const winner = isPostThere(error) ? await findPostEvenIfDeleted(db, metadata, request.postId) : null;
    if (!winner) throw error;
    return { post: toPost(winner) };
  }
  postsCreated.inc({ status: document.status });
  return { post: toPost(document) };
};
