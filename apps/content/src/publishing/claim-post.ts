import { DomainError, notFound } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { claim, claimInVain, type ClaimRequest } from '../domain/claim.ts';
import { checkRevision, isRepeat, withOperation } from '../domain/operations.ts';
import { emitPostChanged, emitPublicationRequested, type Cause } from '../events.ts';
import { holdMedia, type HeldMedia } from '../media/hold-media.ts';
import { publicationsClaimed } from '../metrics.ts';
import { listBusinessIntegrations } from '../store/integrations.ts';
import { findPost, findPostEvenIfDeleted, rememberOperations, replacePost, type PostDocument } from '../store/posts.ts';
import { insertNextOccurrence } from './insert-next-occurrence.ts';

/** Which post, and why. */
export interface ClaimedPost extends Cause {
  readonly organizationId: string;
  readonly businessId: string;
  readonly postId: string;
}

/** What a call adds to a claim: it may be a repeat, and it may want the post as it has seen it. */
export interface ClaimCall {
  readonly operationId: string;
  readonly expectedRevisions: readonly number[];
  readonly metadata: CallMetadata;
}

/**
 * Claims a post for sending, by a call or because its time has come: in one transaction the post gets its pending results, the next one of its
 * series is created, and the request to publish goes into the outbox. It happens whole or not at all, and at most once for a publication id.
 * A post that waited for its time has its media reserved: for it nobody is asked, and the due loop depends on no other service.
 * @throws DomainError resource_not_found, precondition_failed, conflict, invalid_request, missing_field
 */
export async function claimPost(context: Context, which: ClaimedPost, request: ClaimRequest, call?: ClaimCall): Promise<PostDocument> {
  const claimed = call
    ? await holdMedia(context, call.metadata, (held) => claimInOne(context, which, request, held, call), { mayGoWithout: true })
    : await claimInOne(context, which, request);
  if (claimed.isNew) publicationsClaimed.inc();
  return claimed.post;
}

async function claimInOne(
  context: Context,
  which: ClaimedPost,
  request: ClaimRequest,
  held?: HeldMedia,
  call?: ClaimCall,
): Promise<{ post: PostDocument; isNew: boolean }> {
  const { db } = context;
  const { organizationId, businessId, postId } = which;
  return context.transact(async (session) => {
    const post = await findPostEvenIfDeleted(db, { organizationId, businessId }, postId, session);
    if (post && call && isRepeat(post, call.operationId)) return { post, isNew: false };
    if (!post || post.deleted_at) throw notFound('post');
    if (call) checkRevision(post, call.expectedRevisions);
    const at = now(organizationId);
    const decision = claim(post, await listBusinessIntegrations(db, businessId, session), request, at);
    if (decision.kind === 'nothing_to_do') {
      // Noted all the same: repeated when this sending is over, the call must not begin another one.
      if (call) await rememberOperations(db, withOperation(post, call.operationId), session);
      return { post, isNew: false };
    }
    const after = call ? withOperation(decision.post, call.operationId) : decision.post;
    held?.check(post, after);
    await replacePost(db, post, after, session);
    await emitPublicationRequested(context, session, {
      ...request,
      id: request.publicationId,
      post: after,
      targets: decision.targets,
      flowId: which.flowId,
    });
    await emitPostChanged(context, session, after, ['POST_CHANGE_CLAIMED'], { ...which, publicationId: request.publicationId });
    await insertNextOccurrence(context, session, post, request.dueAt, at, which);
    return { post: after, isNew: true };
  });
}

/**
 * Claims a post whose time has come, if it still waits for that very time: one that was moved since it was found due is left alone. When it
 * cannot be sent at all it goes back to its verdict, so that it is not due for ever.
 */
export async function claimDuePost(context: Context, due: ClaimedPost, request: ClaimRequest & { scheduledFor: Date }): Promise<void> {
  const { db } = context;
  try {
    await claimPost(context, due, request);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'internal_error') throw error;
    if (error.code === 'resource_not_found') return; // Deleted since.
    context.log.warn({ post_id: due.postId, organization_id: due.organizationId, reason: error.detail }, 'a due post cannot be sent');
    await context.transact(async (session) => {
      const current = await findPost(db, due, due.postId, session);
      if (current?.next_due_at?.getTime() !== request.scheduledFor.getTime()) return;
      const at = now(due.organizationId);
      const after = claimInVain(current, await listBusinessIntegrations(db, due.businessId, session), request, error, at);
      await replacePost(db, current, after, session);
      const cause = { ...due, publicationId: request.publicationId };
      await emitPostChanged(context, session, after, ['POST_CHANGE_CLAIMED', 'POST_CHANGE_ENDED'], cause);
      await insertNextOccurrence(context, session, current, request.dueAt, at, due);
    });
  }
}
