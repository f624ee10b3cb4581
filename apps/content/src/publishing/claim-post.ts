import { isClosed } from '@fanfare/erasure';
import { DomainError, notFound } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import { listPublishingRules } from '../businesses/store/businesses.ts';
import type { Context } from '../context.ts';
import type { Cause } from '../events.ts';
import { reserveMedia } from '../media/reserve-media.ts';
import { publicationsClaimed } from '../metrics.ts';
import { checkRevision, isRepeat, withOperation } from '../posts/operations.ts';
import type { PostDocument } from '../posts/post.ts';
import { findPostEvenIfDeleted, rememberOperations } from '../posts/store/posts.ts';
import { findQueuesById } from '../queues/store/queues.ts';
import { withQueueTargets } from '../queues/with-queue-targets.ts';
import { listBusinessIntegrations } from '../targets/store/integrations.ts';
import { claim, type ClaimRequest } from './claim.ts';
import { misfireRules } from '../misfires/misfire-rules.ts';
import { writeClaims } from './write-claims.ts';

/** The post, and the cause of its claim. */
interface ClaimedPost extends Cause {
  readonly organizationId: string;
  readonly businessId: string;
  readonly postId: string;
}

/** The call, which may be a repeat, and the revisions that the caller has read. */
interface ClaimCall {
  readonly operationId: string;
  readonly expectedRevisions: readonly number[];
  readonly metadata: CallMetadata;
}

/**
 * Claims a post for a call: in one transaction the post gets its pending results, the next post of its series is created, and the publication request is
 * written to the outbox. A publication id is claimed at most once.
 * @throws DomainError resource_not_found, precondition_failed, conflict, invalid_request, missing_field
 */
export async function claimPost(context: Context, which: ClaimedPost, request: ClaimRequest, call: ClaimCall): Promise<PostDocument> {
  const { db } = context;
  const { organizationId, businessId, postId, flowId, actor, requestId = '' } = which;
  if (isClosed(await context.closed(), { organization_id: organizationId, business_id: businessId })) throw closed();
  const reservation = reserveMedia(context, call.metadata, { isBestEffort: true });
  const claimed = await reservation.commit(() =>
    context.transact(async (session) => {
      const before = await findPostEvenIfDeleted(db, { organizationId, businessId }, postId, session);
      if (before && isRepeat(before, call.operationId)) return { post: before, isNew: false };
      if (!before || before.deleted_at) throw notFound('post');
      checkRevision(before, call.expectedRevisions);
      const at = now(organizationId);
      const queues = await findQueuesById(db, before.queue_id === undefined ? [] : [before.queue_id], session);
      const targeted = withQueueTargets(before, queues.get(before.queue_id ?? ''));
      const integrations = await listBusinessIntegrations(db, businessId, session);
      const rules = (await listPublishingRules(db, [businessId], session))(businessId);
      const decision = claim(targeted, integrations, { ...request, misfire: misfireRules(context, rules) }, at);
      if (decision.kind !== 'claimed') {
        // Recorded even so: a repeat after the running publication has ended must not start another one.
        await rememberOperations(db, withOperation(before, call.operationId), session);
        return { post: before, isNew: false };
      }
      const after = withOperation(decision.post, call.operationId);
      reservation.check(before, after);
      const { publicationId, dueAt } = request;
      await writeClaims(context, session, [
        {
          ...{
            before,
            after,
            targets: decision.targets,
            strategy: decision.strategy,
            publicationId,
            dueAt,
            at,
            cause: { flowId, actor, requestId },
            confirmNotPublished: request.confirmNotPublished,
          },
          ...{ lateness: decision.lateness, linkTracking: rules.link_tracking ?? undefined },
        },
      ]);
      return { post: after, isNew: true };
    }),
  );
  if (claimed.isNew) publicationsClaimed.inc();
  return claimed.post;
}

/** The gateway rejects such calls, but one may have been on its way. */
const closed = () => new DomainError('conflict', 'The business, or its organization, is being deleted: nothing is published.');
