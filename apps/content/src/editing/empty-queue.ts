import { startLoop, now, type Loop } from '@fanfare/runtime';
import type { PostChange } from '@fanfare/contracts/content/events';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { emitPostsChanged, type Cause } from '../events.ts';
import { currentRisks } from '../posts/current-risks.ts';
import type { PostDocument } from '../posts/post.ts';
import { findPostsById, replacePosts } from '../posts/store/posts.ts';
import { moveFirstPosts } from '../queues/move-first-posts.ts';
import type { QueueDocument } from '../queues/queue.ts';
import { findFirstPostIds } from '../queues/store/queue-blocks.ts';
import { findEmptyingQueues, findQueue, markEmptied } from '../queues/store/queues.ts';
import { withQueueTargets } from '../queues/with-queue-targets.ts';
import { riskCheckRows } from '../fan-out/store/risk-checks.ts';
import { unschedulePost } from './rules/schedule-post.ts';

/** How long posts may stay in a deleted queue if their moves were cut short by a crash. */
const PERIOD_MS = 60_000;
const MOST_QUEUES = 100;
const BATCH = 25;

/** Finishes deletions of queues that were cut short. Replicas may run it at once: a batch begins with what is first in the queue then. */
export function startEmptyingQueues(context: Context): Loop {
  return startLoop({ name: 'queue-deletions', log: context.log, run: () => sweep(context), stalledAfterMs: 10 * PERIOD_MS });
}

/** Unschedules the posts of a deleted queue or moves them to the end of another one, in their order: batch by batch, since they may be too many for one transaction. */
export async function emptyQueue(context: Context, queue: QueueDocument): Promise<void> {
  while ((await context.transact((session) => emptyBatch(context, queue, session), queue.business_id)) > 0);
  const { _id, organization_id, business_id, revision } = queue;
  await context.transact(async (session) => {
    await markEmptied(context.db, _id, session);
    // The other queue may be paused, or have times that use a quota which is promised to other posts.
    await riskCheckRows.put(context.db, { _id, organization_id, business_id, revision }, session);
  });
}

/** @returns how many posts have left the queue */
async function emptyBatch({ db }: Context, queue: QueueDocument, session: ClientSession): Promise<number> {
  const { _id, emptying, organization_id: organizationId, business_id: businessId } = queue;
  if (!emptying) return 0;
  const ids = await findFirstPostIds(db, _id, BATCH, session);
  if (ids.length === 0) return 0;
  const found = new Map((await findPostsById(db, ids, session)).map((post) => [post._id, post]));
  // If the other queue was deleted too, the posts are unscheduled.
  const target = emptying.to === undefined ? null : await findQueue(db, { organizationId, businessId }, emptying.to, session);
  const at = now(organizationId);
  const changed = ids.map((id) => {
    const before = found.get(id);
    if (!before) throw new Error(`Post ${id} of queue ${_id} does not exist.`);
    const { after, changes } = moved(before, target?._id, at);
    return { before, after: withQueueTargets(after, queue), changes };
  });
  const cause: Cause = {
    flowId: emptying.flow_id,
    actor: emptying.actor,
    ...(emptying.request_id !== undefined && { requestId: emptying.request_id }),
  };
  const rows = changed.map((one) => ({ ...one, cause }));
  await replacePosts(db, rows, session);
  await moveFirstPosts(db, session, queue, ids, target);
  const events = changed.map(async ({ before, after, changes }) => ({
    before,
    post: after,
    risks: await currentRisks(db, after),
    changes,
    cause,
  }));
  await emitPostsChanged({ db }, session, await Promise.all(events));
  return ids.length;
}

function moved(before: PostDocument, to: string | undefined, at: Date): { after: PostDocument; changes: readonly PostChange[] } {
  const { post, changes } =
    to === undefined ? unschedulePost(before, at) : { post: { ...before, queue_id: to }, changes: ['POST_CHANGE_SCHEDULED' as const] };
  return { after: { ...post, revision: before.revision + 1, updated_at: at }, changes };
}

async function sweep(context: Context): Promise<number> {
  for (const queue of await findEmptyingQueues(context.db, MOST_QUEUES)) {
    await emptyQueue(context, queue).catch((error: unknown) => {
      const { _id, organization_id } = queue;
      context.log.error({ err: error, queue_id: _id, organization_id }, 'could not move the posts of a deleted queue; retrying later');
    });
  }
  return PERIOD_MS;
}
