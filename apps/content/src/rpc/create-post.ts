import type { CreatePostRequest } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { overridesByIds } from '../media/given-urls.ts';
import { checkNewPost, newPost } from '../editing/new-post.ts';
import { holdMedia } from '../media/hold-media.ts';
import { withMedia } from '../media/with-media.ts';
import { postsCreated } from '../metrics.ts';
import { findPostEvenIfDeleted, isPostThere } from '../posts/store/posts.ts';
import type { PostDocument } from '../posts/post.ts';
import { checkIntegrations } from '../targets/check-integrations.ts';
import { checkOverrideAccounts } from '../targets/check-override-accounts.ts';
import { commitNewPost } from '../editing/commit-new-post.ts';
import type { Rpc } from './rpc.ts';
import { showPost } from '../posts/show-post.ts';

export const createPost: Rpc<'createPost'> = (context) => async (request, call) => {
  // Nothing is fetched again. Without URLs it is cheaper to find out by the insert.
  const before = namesUrls(request) ? await findPostEvenIfDeleted(context.db, call.metadata, request.postId) : null;
  if (before) return { post: await showPost(context.db, before) };
  try {
    const document = await create(context, request, call);
    postsCreated.inc({ status: document.status });
    if (document.next_due_at) for (const tell of context.afterSchedule) tell(document.next_due_at);
    return { post: await showPost(context.db, document) };
  } catch (error) {
    // A repeat finds the post there, or fails over what has changed since the first time (its time is over, its media are gone). It is
    // answered with the first result all the same, and what was deleted since is not made anew.
    if (!isPostThere(error) && !(error instanceof DomainError)) throw error;
    const first = await findPostEvenIfDeleted(context.db, call.metadata, request.postId);
    if (!first) throw error;
    return { post: await showPost(context.db, first) };
  }
};

async function create(context: Context, request: CreatePostRequest, call: Call): Promise<PostDocument> {
  const { metadata } = call;
  checkNewPost(request, now(metadata.organizationId));
  await checkIntegrations(context.db, metadata.businessId, request.restrictPublishToIntegrationIds);
  await checkOverrideAccounts(context.db, metadata.businessId, request.platformOverrides);
  return withMedia(context, request, call, async (resolved, settle) => {
    const document = newPost(request, metadata, resolved, now(metadata.organizationId));
    await holdMedia(
      context,
      metadata,
      async (held) => {
        held.check(null, document);
        await commitNewPost(context, { post: document, cause: metadata, settle });
      },
      {
        given: [
          request.mediaUrls.length > 0 ? 'media_urls' : 'media_ids',
          'cover_media_id',
          'platform_overrides',
          ...overridesByIds(request),
        ],
      },
    );
    return document;
  });
}

const namesUrls = ({ mediaUrls, platformOverrides }: CreatePostRequest) =>
  mediaUrls.length > 0 || platformOverrides.some((override) => override.mediaUrls !== undefined);
