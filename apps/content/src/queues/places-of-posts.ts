import type { QueuePlace } from '@fanfare/contracts/content/queues';
import { now } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { PostDocument } from '../posts/post.ts';
import type { QueueDocument } from './queue.ts';
import { MISSED_AFTER_MS } from './next-slot.ts';
import { slotTimes } from './slot-times.ts';
import { findPositions, type QueuePosition } from './store/queue-blocks.ts';
import { findQueuesById } from './store/queues.ts';

/** The places of those of the posts that are in a queue. For others it reads nothing. */
export async function placesOfPosts(
  db: Db,
  posts: readonly Pick<PostDocument, '_id' | 'queue_id'>[],
  session?: ClientSession,
): Promise<Map<string, QueuePlace>> {
  const queued = posts.filter(({ queue_id }) => queue_id !== undefined);
  if (queued.length === 0) return new Map();
  const positions = await findPositions(
    db,
    queued.map(({ _id }) => _id),
    session,
  );
  const queueIds = [...new Set([...positions.values()].map(({ queueId }) => queueId))];
  return withEstimates(positions, await findQueuesById(db, queueIds, session));
}

/** Positions with the times that follow from them: the n-th post of a queue is published at its n-th slot from now. */
export function withEstimates(
  positions: ReadonlyMap<string, QueuePosition>,
  queues: ReadonlyMap<string, QueueDocument>,
): Map<string, QueuePlace> {
  const estimates = new Map([...queues.values()].map((queue) => [queue._id, estimateOf(queue)]));
  return new Map(
    [...positions].map(([postId, { queueId, position }]) => [
      postId,
      { queueId, position, estimatedPublishTime: estimates.get(queueId)?.(position) },
    ]),
  );
}

/** The time of each position, from 1; undefined while the queue publishes nothing. Grows with the position. */
export function estimateOf({
  slots,
  timezone,
  paused,
  deleted,
  next_slot_at,
  organization_id,
}: QueueDocument): (position: number) => Date | undefined {
  if (paused || deleted) return () => undefined;
  const times = slotTimes(slots, timezone);
  const at = now(organization_id);
  // The next slot takes the first post, unless it was missed.
  const isKnown = next_slot_at && at.getTime() - next_slot_at.getTime() <= MISSED_AFTER_MS;
  const from = new Date(isKnown ? next_slot_at.getTime() - 1 : at.getTime() - (next_slot_at ? MISSED_AFTER_MS : 0));
  return (position) => times.nth(from, position);
}
