import { DomainError, notFound } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { claim, claimInVain, type ClaimRequest } from '../domain/claim.ts';
import { emitPublicationRequested } from '../events.ts';
import { publicationsClaimed } from '../metrics.ts';
import { listBusinessIntegrations } from '../store/integrations.ts';
import { findPost, replacePost, type PostDocument } from '../store/posts.ts';

/** Which post, and in whose flow. */
export interface ClaimedPost {
  readonly organizationId: string;
  readonly businessId: string;
  readonly postId: string;
  readonly flowId: string;
}

/**
 * Claims a post for sending, by a call or because its time has come: in one transaction the post gets its pending results and the request to
 * publish goes into the outbox. It happens whole or not at all, and at most once for a publication id.
 * @throws DomainError resource_not_found, invalid_request, missing_field
 */
export async function claimPost(
  context: Context,
  { organizationId, businessId, postId, flowId }: ClaimedPost,
  request: ClaimRequest,
): Promise<PostDocument> {
  const { db } = context;
  const claimed = await context.transact(async (session) => {
    const post = await findPost(db, { organizationId, businessId }, postId, session);
    if (!post) throw notFound('post');
    const decision = claim(post, await listBusinessIntegrations(db, businessId, session), request, now(organizationId));
    if (decision.kind === 'nothing_to_do') return { post, isNew: false };
    await replacePost(db, post, decision.post, session);
    const { targets } = decision;
    await emitPublicationRequested(context, session, {
      id: request.publicationId,
      post: decision.post,
      targets,
      dueAt: request.dueAt,
      flowId,
    });
    return { post: decision.post, isNew: true };
  });
  if (claimed.isNew) publicationsClaimed.inc();
  return claimed.post;
}

/** Claims a post whose time has come. When it cannot be sent at all it goes back to its verdict, so that it is not due for ever. */
export async function claimDuePost(context: Context, due: ClaimedPost, request: (post: PostDocument) => ClaimRequest): Promise<void> {
  const { db } = context;
  const scope = { organizationId: due.organizationId, businessId: due.businessId };
  const post = await findPost(db, scope, due.postId);
  if (!post?.next_due_at) return; // Another replica was faster, or it was unscheduled.
  try {
    await claimPost(context, due, request(post));
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'internal_error') throw error;
    context.log.warn({ post_id: due.postId, organization_id: due.organizationId, reason: error.detail }, 'a due post cannot be sent');
    await context.transact(async (session) => {
      const current = await findPost(db, scope, due.postId, session);
      if (current?.next_due_at?.getTime() !== post.next_due_at?.getTime() || !current) return;
      const integrations = await listBusinessIntegrations(db, due.businessId, session);
      await replacePost(db, current, claimInVain(current, integrations, request(current), now(due.organizationId)), session);
    });
  }
}
