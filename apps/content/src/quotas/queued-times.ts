import type { Db } from 'mongodb';
import { usesQuota, type UsedQuota } from '../preflight/promised-quota.ts';
import { estimateOf } from '../queues/places-of-posts.ts';
import type { QueueDocument } from '../queues/queue.ts';
import { findPostIds } from '../queues/store/queue-blocks.ts';
import { withQueueTargets } from '../queues/with-queue-targets.ts';
import { keysFor, plannedKeys } from '../targets/target-keys.ts';
import { findQueuedPosts, MOST } from './store/promised-posts.ts';

/** When posts in these queues of the account's business will use the quota of an account around a time, as things stand. */
export async function findQueuedTimes(
  db: Db,
  queues: readonly QueueDocument[],
  at: Date,
  used: UsedQuota,
  exceptIds: ReadonlySet<string>,
): Promise<Date[]> {
  const found = await Promise.all(queues.map((queue) => timesIn(db, queue, at, used, exceptIds)));
  return found.flat();
}

async function timesIn(db: Db, queue: QueueDocument, at: Date, used: UsedQuota, exceptIds: ReadonlySet<string>): Promise<Date[]> {
  const estimate = estimateOf(queue);
  const { windowMs } = used.quota;
  const before = countUntil(queue, estimate, at.getTime() - windowMs);
  const after = countUntil(queue, estimate, at.getTime() + windowMs - 1);
  if (after === before) return [];
  const ids = await findPostIds(db, queue._id, before + 1, Math.min(MOST, after - before));
  const posts = await findQueuedPosts(db, ids);
  const keys = new Set(keysFor({ integrationId: used.account._id, platform: undefined }, [used.account]));
  return ids.flatMap((id, index) => {
    const post = exceptIds.has(id) ? undefined : posts.get(id);
    if (!post || !usesQuota(post, used) || !plannedKeys(withQueueTargets(post, queue)).some((key) => keys.has(key))) return [];
    return estimate(before + 1 + index) ?? [];
  });
}

/** How many posts of the queue have been published by a time: a binary search, because estimates grow with the position. */
function countUntil({ post_count }: QueueDocument, estimate: (position: number) => Date | undefined, untilMs: number): number {
  let [from, to] = [0, post_count];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if ((estimate(middle)?.getTime() ?? Infinity) <= untilMs) from = middle;
    else to = middle - 1;
  }
  return from;
}
