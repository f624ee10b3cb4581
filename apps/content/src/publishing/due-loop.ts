import { derivedId, startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { dueClaimsFailed, dueLag } from '../metrics.ts';
import { findDuePosts, findNextDueAt, type DuePost } from '../store/posts.ts';
import { claimDuePost } from './claim-post.ts';

/** How often a replica looks when it knows of nothing: another replica may have scheduled something. One index seek. */
const IDLE_MS = 1_000;
const BATCH = 100;
/** In one round an organization gets at most this many claims, so that its ten thousand due posts do not delay another's one. */
const PER_ORGANIZATION = 10;
const CONCURRENCY = 8;

/** Claims posts whose time has come. Any number of replicas may run it: the claim is a compare-and-set. */
export function startDueLoop(context: Context): Loop {
  return startLoop({ name: 'due-posts', log: context.log, run: () => claimRound(context) });
}

async function claimRound(context: Context): Promise<number> {
  const taken = new Map<string, number>();
  const round: DuePost[] = [];
  for (;;) {
    const full = [...taken].filter(([, count]) => count >= PER_ORGANIZATION).map(([organization]) => organization);
    const due = await findDuePosts(context.db, full, BATCH);
    const seen = new Set(round.map(({ _id }) => _id));
    const fresh = due.filter((post) => {
      const count = taken.get(post.organization_id) ?? 0;
      if (seen.has(post._id) || count >= PER_ORGANIZATION) return false;
      taken.set(post.organization_id, count + 1);
      return true;
    });
    round.push(...fresh);
    if (due.length < BATCH || fresh.length === 0) break;
  }
  if (round.length === 0) return untilNextDue(context);

  const waiting = [...round];
  let failed = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let post = waiting.shift(); post; post = waiting.shift()) {
        // One post that cannot be claimed must not hold up the others.
        await claimOne(context, post).catch((error: unknown) => {
          failed++;
          dueClaimsFailed.inc();
          context.log.error({ err: error, post_id: post?._id }, 'a due post cannot be claimed');
        });
      }
    }),
  );
  if (failed === round.length) throw new Error(`None of ${failed} due posts could be claimed.`);
  // What failed is still due, and would be found again at once.
  return failed > 0 ? IDLE_MS : 0;
}

async function claimOne(context: Context, { _id, organization_id, business_id, next_due_at: dueAt }: DuePost): Promise<void> {
  if (!dueAt) return;
  const due = { postId: _id, organizationId: organization_id, businessId: business_id, flowId: `due-${_id}`, actor: 'system:content' };
  // The same id for the same time, whoever claims it: once per (post, time).
  const publicationId = derivedId(_id, `due:${dueAt.toISOString()}`);
  dueLag.observe(Math.max(0, Date.now() - dueAt.getTime()) / 1000);
  await claimDuePost(context, due, {
    publicationId,
    dueAt,
    scheduledFor: dueAt,
    restriction: { platforms: [], integrationIds: [] },
    confirmNotPublished: false,
    deliveryId: (integrationId) => derivedId(publicationId, integrationId),
  });
}

async function untilNextDue(context: Context): Promise<number> {
  const next = await findNextDueAt(context.db);
  return next ? Math.min(IDLE_MS, Math.max(5, next.getTime() - Date.now())) : IDLE_MS;
}
