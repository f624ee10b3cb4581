import { isClosed, type Closed } from '@fanfare/erasure';
import { now } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import { listPublishingRules, type PublishingRules } from '../businesses/store/businesses.ts';
import type { Context } from '../context.ts';
import { emitQueueEmptied } from '../events.ts';
import { dueLag, publicationsClaimed, queueSlots } from '../metrics.ts';
import { isPublishing } from '../posts/is-publishing.ts';
import type { PostDocument } from '../posts/post.ts';
import { newestResults } from '../posts/after-waiting.ts';
import { findPostsById } from '../posts/store/posts.ts';
import { withField } from '../posts/with-field.ts';
import { MISSED_AFTER_MS, slotAfter } from '../queues/next-slot.ts';
import type { QueueDocument } from '../queues/queue.ts';
import { findFirstPostIds } from '../queues/store/queue-blocks.ts';
import { lockDueQueues, setNextSlot, type DueQueue } from '../queues/store/queues.ts';
import { withQueueTargets } from '../queues/with-queue-targets.ts';
import { listIntegrationsOf } from '../targets/store/integrations.ts';
import { decideDue } from './claim-due-posts.ts';
import { writeClaims, type WrittenClaim } from './write-claims.ts';

/** Several queues conflict with other writes more often than one. After this the caller claims each by itself, or retries later. */
const MAX_ATTEMPTS_TOGETHER = 3;
const MAX_ATTEMPTS_ALONE = 10;

/**
 * A slot that was handled: it published its post, came too late, came while the post of an earlier slot waits, found its queue empty, found a post that is
 * being published already, or that the business is being deleted.
 */
interface Handled {
  readonly queue: QueueDocument;
  readonly dueAt: Date;
  readonly outcome: 'sent' | 'missed' | 'behind' | 'empty' | 'busy' | 'closed';
  readonly hasTargets: boolean;
}

/**
 * Handles slots of queues in one transaction: all that still wait for exactly that time, or none. Each takes the first post out of its queue and claims it
 * like a post that is due at the time of the slot, and the queue gets its next slot. A missed slot is skipped, and so are one of a closed business, and one that
 * comes while the post of an earlier slot waits, for example because publishing is paused: later both would be sent at once.
 * @throws Error if one of them cannot be handled; then none is
 */
export async function claimSlots(context: Context, due: readonly DueQueue[]): Promise<void> {
  const mostAttempts = due.length > 1 ? MAX_ATTEMPTS_TOGETHER : MAX_ATTEMPTS_ALONE;
  const closed = await context.closed();
  let attempts = 0;
  const handled = await context.transact(async (session) => {
    if (++attempts > mostAttempts) throw new Error('Every attempt to handle slots of queues conflicted with another write.');
    return handle(context, due, closed, session);
  });
  for (const { queue, dueAt, outcome, hasTargets } of handled) {
    queueSlots.inc({ outcome });
    if (hasTargets) publicationsClaimed.inc();
    if (outcome === 'sent') dueLag.observe(Math.max(0, now(queue.organization_id).getTime() - dueAt.getTime()) / 1000);
    const ids = { queue_id: queue._id, organization_id: queue.organization_id, business_id: queue.business_id };
    if (outcome === 'missed') context.log.warn({ ...ids, slot_at: dueAt }, 'a slot of a queue was missed and is skipped');
    if (outcome === 'behind')
      context.log.warn({ ...ids, slot_at: dueAt }, 'a slot of a queue is skipped: the post of an earlier one still waits');
  }
}

async function handle(context: Context, due: readonly DueQueue[], closed: Closed, session: ClientSession): Promise<Handled[]> {
  const { db } = context;
  const locked = await lockDueQueues(db, due, session);
  const sent = await findPostsById(
    db,
    locked.flatMap(({ sent_post_id: id }) => id ?? []),
    session,
  );
  const skips = new Map(locked.map((queue) => [queue._id, whySkipped(queue, closed, sent)]));
  const heads = new Map<string, string>();
  for (const queue of locked) {
    const [head] = skips.get(queue._id) ? [] : await findFirstPostIds(db, queue._id, 1, session);
    if (head !== undefined) heads.set(queue._id, head);
  }
  const posts = new Map((await findPostsById(db, [...heads.values()], session)).map((post) => [post._id, post]));
  const businesses = [...new Set(locked.map(({ business_id }) => business_id))];
  const integrations = await listIntegrationsOf(db, businesses, session);
  const rulesOf = await listPublishingRules(db, businesses, session);
  const claims = new Map<string, WrittenClaim>();
  for (const queue of locked) {
    const head = heads.get(queue._id);
    const post = posts.get(head ?? '');
    if (head === undefined) continue;
    if (post?.queue_id !== queue._id) throw new Error(`Queue ${queue._id} has post ${head}, which is not in it.`);
    const dueAt = slotOf(queue);
    const name = `slot:${dueAt.toISOString()}`;
    const waiting = asDue(withQueueTargets(post, queue), dueAt);
    const rules = inTimeUntilMissed(rulesOf(queue.business_id));
    const [claim] = decideDue(context, waiting, integrations.get(queue.business_id) ?? [], rules, dueAt, name);
    if (!claim) continue;
    const after = withField(claim.after, 'misfire_policy', post.misfire_policy);
    claims.set(queue._id, { ...claim, before: post, after: isPublishing(after) ? { ...after, slot_queue_id: queue._id } : after });
  }
  await writeClaims(context, session, [...claims.values()]);
  const handled: Handled[] = [];
  for (const queue of locked) handled.push(await goOn(context, session, queue, skips.get(queue._id), claims.get(queue._id)));
  return handled;
}

/** Sets the next slot of a queue, or reports that it is empty. */
async function goOn(
  context: Context,
  session: ClientSession,
  queue: QueueDocument,
  skipped: Skipped | undefined,
  claim: WrittenClaim | undefined,
): Promise<Handled> {
  const dueAt = slotOf(queue);
  const left = queue.post_count - (claim ? 1 : 0);
  const common = { queue, dueAt, hasTargets: claim !== undefined && claim.targets.length > 0 };
  const sentPostId = claim?.after._id;
  if (left === 0 && skipped === undefined) {
    await setNextSlot(context.db, queue._id, undefined, session, sentPostId);
    const { next_slot_at: _next, ...empty } = queue;
    await emitQueueEmptied(context, session, { ...empty, post_count: 0 });
    return { ...common, outcome: claim ? 'sent' : 'empty' };
  }
  // After missed slots, the first one that is not missed publishes. A clock behind the database's must not find the same slot again.
  const from = now(queue.organization_id).getTime() - (skipped === 'missed' ? MISSED_AFTER_MS : 0);
  const after = new Date(Math.max(from, dueAt.getTime()));
  await setNextSlot(context.db, queue._id, slotAfter(queue, after), session, sentPostId);
  return { ...common, outcome: skipped ?? (claim ? 'sent' : 'busy') };
}

type Skipped = 'missed' | 'behind' | 'closed';

/** Why the slot publishes nothing; undefined if it may. @param sent the posts of earlier slots */
function whySkipped(queue: QueueDocument, closed: Closed, sent: readonly PostDocument[]): Skipped | undefined {
  if (isClosed(closed, queue)) return 'closed';
  if (isPast(slotOf(queue), queue)) return 'missed';
  const post = sent.find(({ _id }) => _id === queue.sent_post_id);
  return post && isNowhereYet(post) && newestResults(post).some(({ dueAt }) => isPast(dueAt, queue)) ? 'behind' : undefined;
}

const isPast = (at: Date, { organization_id }: QueueDocument): boolean => now(organization_id).getTime() - at.getTime() > MISSED_AFTER_MS;

/** It is still to be sent, and no account has it: so it would be sent together with a later one. Reconciling one that was sent, or taking it back, may take as long. */
const isNowhereYet = (post: PostDocument): boolean =>
  isPublishing(post) &&
  newestResults(post).every(({ status, waiting }) => status !== 'PUBLISH_RESULT_STATUS_SUCCESS' && !WAS_SENT.has(waiting?.reason));
const WAS_SENT: ReadonlySet<string | undefined> = new Set(['confirming', 'removing']);

function slotOf({ _id, next_slot_at }: QueueDocument): Date {
  if (!next_slot_at) throw new Error(`Queue ${_id} has no slot.`);
  return next_slot_at;
}

/**
 * A slot is missed as a whole, and its post keeps its place: no policy skips or holds a post whose slot is not missed. The publisher too misses it if it cannot
 * begin in time, and the post returns to its place.
 */
const inTimeUntilMissed = (rules: PublishingRules): PublishingRules => ({
  ...rules,
  misfire_policy: 'MISFIRE_POLICY_PUBLISH_LATE',
  misfire_limit_minutes: Math.ceil(MISSED_AFTER_MS / 60_000) + 1,
});

/** The post as if it was scheduled for the time of the slot. */
function asDue(post: PostDocument, dueAt: Date): PostDocument {
  const { queue_id: _queue, misfire_policy: _policy, ...alone } = post;
  return { ...alone, scheduled_publish_time: dueAt, next_due_at: dueAt };
}
