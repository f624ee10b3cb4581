import { DomainError } from '@fanfare/errors';
import { derivedId, now } from '@fanfare/runtime';
import { listPublishingRules, type PublishingRules } from '../businesses/store/businesses.ts';
import type { Context } from '../context.ts';
import { dueLag, misfires, publicationsClaimed } from '../metrics.ts';
import type { PostDocument } from '../posts/post.ts';
import { findPostsById, type DuePost } from '../posts/store/posts.ts';
import type { IntegrationDocument } from '../targets/integration.ts';
import { listIntegrationsOf } from '../targets/store/integrations.ts';
import { claim, failDueClaim, type ClaimRequest } from './claim.ts';
import { misfireRules } from '../misfires/misfire-rules.ts';
import type { Lateness } from '../misfires/misfire.ts';
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
    const rulesOf = await listPublishingRules(db, businesses, session);
    const decided = due.flatMap((one) => {
      const post = posts.get(one._id);
      if (!post || post.deleted_at) return [];
      return decideDue(context, post, integrations.get(one.business_id) ?? [], rulesOf(one.business_id), one.next_due_at);
    });
    await writeClaims(context, session, decided);
    return decided;
  });
  publicationsClaimed.inc(claims.filter(({ targets }) => targets.length > 0).length);
  for (const { before, dueAt, lateness } of claims) {
    dueLag.observe(Math.max(0, now(before.organization_id).getTime() - dueAt.getTime()) / 1000);
    if (lateness?.misfire) misfires.inc({ outcome: lateness.misfire });
  }
}

/**
 * Decides on a post that is due. Empty if it no longer waits for that time.
 * @param name of the publication: there is one for each post and name, whichever process claims the post
 */
export function decideDue(
  context: Context,
  before: PostDocument,
  integrations: readonly IntegrationDocument[],
  rules: PublishingRules,
  dueAt: Date | undefined,
  name = `due:${dueAt?.toISOString()}`,
): WrittenClaim[] {
  if (!dueAt || before.next_due_at?.getTime() !== dueAt.getTime()) return [];
  const { log } = context;
  const { _id, organization_id } = before;
  const publicationId = derivedId(_id, name);
  const request: ClaimRequest = {
    publicationId,
    dueAt,
    scheduledFor: dueAt,
    restriction: { platforms: [], integrationIds: [] },
    confirmNotPublished: false,
    deliveryId: (integrationId) => derivedId(publicationId, integrationId),
    misfire: misfireRules(context, rules),
  };
  const at = now(organization_id);
  const cause = { flowId: `due-${_id}`, actor: 'system:content' };
  const written = { before, publicationId, dueAt, at, cause, linkTracking: rules.link_tracking ?? undefined };
  try {
    const decision = claim(before, integrations, request, at);
    if (decision.kind === 'nothing_to_do') return [];
    const { post: after, lateness } = decision;
    if (decision.kind === 'claimed') return [{ ...written, after, lateness, targets: decision.targets, strategy: decision.strategy }];
    log.warn({ post_id: _id, organization_id, ...logged(decision.lateness, dueAt, at) }, 'a due post is too late to be published');
    return [{ ...written, after, lateness, ...NOTHING }];
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'internal_error') throw error;
    log.warn({ post_id: _id, organization_id, reason: error.detail }, 'a due post cannot be published');
    return [{ ...written, after: failDueClaim(before, integrations, request, error, at), lateness: undefined, ...NOTHING }];
  }
}

const logged = ({ policy, misfire }: Lateness, dueAt: Date, at: Date) => ({ policy, misfire, late_ms: at.getTime() - dueAt.getTime() });

const NOTHING = { targets: [], strategy: 'PUBLISH_STRATEGY_INDEPENDENT' } as const;
