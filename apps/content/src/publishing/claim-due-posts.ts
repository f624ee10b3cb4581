import { DomainError } from '@fanfare/errors';
import { currentMs, derivedId, now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { dueLag, publicationsClaimed } from '../metrics.ts';
import type { PostDocument } from '../posts/post.ts';
import { findPostsById, type DuePost } from '../posts/store/posts.ts';
import type { IntegrationDocument } from '../targets/integration.ts';
import { listIntegrationsOf } from '../targets/store/integrations.ts';
import { claim, failDueClaim, type ClaimRequest } from './claim.ts';
import { writeClaims, type WrittenClaim } from './write-claims.ts';

/** Of several posts one is more often under somebody's hand than one alone: after this the caller goes on with each by itself, or looks again later. */
const MAX_ATTEMPTS_TOGETHER = 3;
const MAX_ATTEMPTS_ALONE = 10;

/**
 * Claims posts whose time has come, in one transaction: all that still wait for that very time, or none. One that was moved, edited, taken back or
 * sent since it was found due is decided on as it is then; whoever writes to one of them meanwhile conflicts with this, and one of both begins anew.
 * One that cannot be sent at all goes back to its verdict, so that it is not due for ever. Posts that waited have their media reserved: nobody is
 * asked, and the due loop depends on no other service.
 * @throws Error when one of them cannot be claimed; then none was
 */
export async function claimDuePosts(context: Context, due: readonly DuePost[]): Promise<void> {
  const { db } = context;
  const mostAttempts = due.length > 1 ? MAX_ATTEMPTS_TOGETHER : MAX_ATTEMPTS_ALONE;
  let attempts = 0;
  const claims = await context.transact(async (session) => {
    if (++attempts > mostAttempts)
      throw new Error(`Every attempt to claim ${due.length > 1 ? 'these posts' : 'this post'} conflicted with another write.`);
    const ids = due.map(({ _id }) => _id);
    const businesses = [...new Set(due.map(({ business_id }) => business_id))];
    const posts = new Map((await findPostsById(db, ids, session)).map((post) => [post._id, post]));
    const integrations = await listIntegrationsOf(db, businesses, session);
    const decided = due.flatMap((one) => {
      const post = posts.get(one._id);
      return post && !post.deleted_at ? decide(context, post, integrations.get(one.business_id) ?? [], one.next_due_at) : [];
    });
    await writeClaims(context, session, decided);
    return decided;
  });
  publicationsClaimed.inc(claims.filter(({ targets }) => targets.length > 0).length);
  for (const { dueAt } of claims) dueLag.observe(Math.max(0, currentMs() - dueAt.getTime()) / 1000);
}

/** Nothing when it no longer waits for that time. */
function decide(
  { log }: Context,
  before: PostDocument,
  integrations: readonly IntegrationDocument[],
  dueAt: Date | undefined,
): WrittenClaim[] {
  if (!dueAt || before.next_due_at?.getTime() !== dueAt.getTime()) return [];
  const { _id, organization_id } = before;
  // The same id for the same time, whoever claims it: once per (post, time).
  const publicationId = derivedId(_id, `due:${dueAt.toISOString()}`);
  const request: ClaimRequest = {
    publicationId,
    dueAt,
    scheduledFor: dueAt,
    restriction: { platforms: [], integrationIds: [] },
    confirmNotPublished: false,
    deliveryId: (integrationId) => derivedId(publicationId, integrationId),
  };
  const at = now(organization_id);
  const written = { before, publicationId, dueAt, at, cause: { flowId: `due-${_id}`, actor: 'system:content' } };
  try {
    const decision = claim(before, integrations, request, at);
    return decision.kind === 'claimed' ? [{ ...written, after: decision.post, targets: decision.targets }] : [];
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'internal_error') throw error;
    log.warn({ post_id: _id, organization_id, reason: error.detail }, 'a due post cannot be published');
    return [{ ...written, after: failDueClaim(before, integrations, request, error, at), targets: [] }];
  }
}
