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

/** Several posts conflict with other writes more often than one. After this the caller claims each by itself, or retries later. */
const MAX_ATTEMPTS_TOGETHER = 3;
const MAX_ATTEMPTS_ALONE = 10;

/**
 * Claims due posts in one transaction: all that still wait for exactly that time, or none. Each post is decided on as it is now, so posts that were moved,
 * edited, unscheduled or published in the meantime are skipped. A concurrent write to one of them conflicts, and one of both is retried. A post that cannot
 * be sent at all returns to its previous status, so that it does not stay due. The media of scheduled posts are reserved already, so the due loop calls no
 * other service.
 * @throws Error if one of them cannot be claimed; then none is
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

/** Empty if the post no longer waits for that time. */
function decide(
  { log }: Context,
  before: PostDocument,
  integrations: readonly IntegrationDocument[],
  dueAt: Date | undefined,
): WrittenClaim[] {
  if (!dueAt || before.next_due_at?.getTime() !== dueAt.getTime()) return [];
  const { _id, organization_id } = before;
  // Derived from post and time: whichever process claims the post, there is one publication for each time.
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
