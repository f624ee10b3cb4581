import { newId, now } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { PostDocument } from '../posts/post.ts';
import { unknownQueue } from './check-queue.ts';
import { slotAfter } from './next-slot.ts';
import { insertPostId, removePostId } from './store/queue-blocks.ts';
import { changePostCount, setNextSlot } from './store/queues.ts';

/** A place in the queue of a post: its position, or the end. */
export interface GivenPlace {
  readonly position: number | undefined;
}

/**
 * Makes the queues follow a change of a post, in its transaction: takes the post out of the queue that it has left, and puts it into the one that it is
 * in now. Every transaction that may change `queue_id` calls it.
 * @param before undefined if the post is new
 * @param place where it is put, also if it stays in its queue; by default the end of a queue that it was not in
 * @throws DomainError invalid_value `queue_id` if the business has no such queue
 */
export async function followQueue(
  db: Db,
  session: ClientSession,
  before: PostDocument | undefined,
  after: PostDocument,
  place?: GivenPlace,
): Promise<void> {
  if (before?.queue_id === after.queue_id && !place) return;
  if (before?.queue_id !== undefined) await takeOut(db, session, before._id, before.queue_id);
  if (after.queue_id !== undefined) await putIn(db, session, after, after.queue_id, place?.position);
}

/** The next slot of a queue that becomes empty stays: it shows that the queue is empty. */
async function takeOut(db: Db, session: ClientSession, postId: string, queueId: string): Promise<void> {
  const queue = await changePostCount(db, { id: queueId, by: -1 }, session);
  if (!queue || !(await removePostId(db, queueId, postId, session))) throw new Error(`Post ${postId} is not in queue ${queueId}.`);
}

async function putIn(
  db: Db,
  session: ClientSession,
  post: PostDocument,
  queueId: string,
  position = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const { _id, organization_id: organizationId, business_id: businessId } = post;
  const queue = await changePostCount(db, { id: queueId, by: 1, open: { organizationId, businessId } }, session);
  if (!queue) throw unknownQueue();
  await insertPostId(db, queueId, _id, position, newId(), session);
  if (!queue.paused && queue.next_slot_at === undefined) await setNextSlot(db, queueId, slotAfter(queue, now(organizationId)), session);
}
