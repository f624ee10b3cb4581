import { DomainError } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import { checkNewPost, newPost } from '../domain/new-post.ts';
import { postsCreated } from '../metrics.ts';
import { findPost, insertPost, isPostThere, toPost } from '../store/posts.ts';
import { listBusinessIntegrations } from '../store/integrations.ts';
import { resolveMedia } from './resolve-media.ts';
import type { Rpc } from './rpc.ts';

export const createPost: Rpc<'createPost'> = (context) => async (request, call) => {
  const { db } = context;
  const { metadata } = call;
  const before = await findPost(db, metadata, request.postId);
  if (before) return { post: toPost(before) }; // A repeat: nothing is checked or fetched again.

  checkNewPost(request, now(metadata.organizationId));
  await checkIntegrations(request.restrictPublishToIntegrationIds);
  const resolved = await resolveMedia(context.library, request, call);
  const document = newPost(request, metadata, resolved, now(metadata.organizationId));
  try {
    await context.transact((session) => insertPost(db, document, session));
  } catch (error) {
    const winner = isPostThere(error) ? await findPost(db, metadata, request.postId) : null;
    if (!winner) throw error;
    return { post: toPost(winner) };
  }
  postsCreated.inc({ status: document.status });
  return { post: toPost(document) };

  async function checkIntegrations(ids: readonly string[]) {
    if (ids.length === 0) return;
    const known = new Set((await listBusinessIntegrations(db, metadata.businessId)).map(({ _id }) => _id));
    const unknown = ids.findIndex((id) => !known.has(id));
    if (unknown !== -1) {
      const param = `restrict_publish_to_integration_ids.${unknown}`;
      throw new DomainError('invalid_value', 'This business has no connected account with that id.', { param });
    }
  }
};
