import type { UnpublishPostRequest } from '@fanfare/contracts/content';
import { notFound } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { derivedId, now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { emitPostsChanged, emitRemovalsRequested } from '../events.ts';
import { currentRisks } from '../posts/current-risks.ts';
import { checkRevision, isRepeat, withOperation } from '../posts/operations.ts';
import type { PostDocument } from '../posts/post.ts';
import { findPostEvenIfDeleted, rememberOperations, replacePost } from '../posts/store/posts.ts';
import { changesOfRemovals, unpublish } from './unpublish.ts';

/**
 * Requests the removal of a post: in one transaction its results get their removals, and the publisher's work is written to the outbox. Of two calls at
 * once, the second finds the removals of the first.
 * @throws DomainError resource_not_found, precondition_failed, conflict
 */
export async function requestRemovals(context: Context, metadata: CallMetadata, request: UnpublishPostRequest): Promise<PostDocument> {
  const { db } = context;
  const { operationId, postId, expectedRevisions, restrictPublishTo, restrictPublishToIntegrationIds } = request;
  return context.transact(async (session) => {
    const before = await findPostEvenIfDeleted(db, metadata, postId, session);
    if (before && isRepeat(before, operationId)) return before;
    if (!before || before.deleted_at) throw notFound('post');
    checkRevision(before, expectedRevisions);
    const decision = unpublish(
      before,
      {
        restriction: { platforms: restrictPublishTo, integrationIds: restrictPublishToIntegrationIds },
        removalId: (deliveryId) => derivedId(operationId, deliveryId),
      },
      now(metadata.organizationId),
    );
    if (decision.kind === 'nothing_to_do') {
      // Recorded even so: a repeat after one of the removals has failed must not request another one.
      await rememberOperations(db, withOperation(before, operationId), session);
      return before;
    }
    const { removals } = decision;
    const post = withOperation(decision.post, operationId);
    await replacePost(db, before, post, session, { cause: metadata });
    if (removals.length > 0) await emitRemovalsRequested(context, session, { operationId, post, removals, flowId: metadata.flowId });
    const risks = await currentRisks(db, post);
    await emitPostsChanged(context, session, [{ before, post, risks, changes: changesOfRemovals(post), cause: metadata }]);
    return post;
  });
}
