import { newId, now } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import { slotAfter } from './next-slot.ts';
import type { QueueDocument } from './queue.ts';
import { appendPostIds, removeFirstPostIds } from './store/queue-blocks.ts';
import { changePostCount, setNextSlot } from './store/queues.ts';

/**
 * Takes the first posts out of a queue, in the transaction that changes them, and puts them at the end of another one.
 * @param postIds of its first block, in order, from the first one on
 * @param to absent if they leave the queue for none
 */
export async function moveFirstPosts(
  db: Db,
  session: ClientSession,
  from: QueueDocument,
  postIds: readonly string[],
  to: QueueDocument | null,
): Promise<void> {
  await changePostCount(db, { id: from._id, by: -postIds.length }, session);
  await removeFirstPostIds(db, from._id, postIds, session);
  if (!to) return;
  const { organization_id: organizationId, business_id: businessId } = to;
  const target = await changePostCount(db, { id: to._id, by: postIds.length, open: { organizationId, businessId } }, session);
  if (!target) throw new Error(`Queue ${to._id} was deleted meanwhile.`);
  await appendPostIds(db, to._id, postIds, newId(), session);
  if (!target.paused && target.next_slot_at === undefined) await setNextSlot(db, to._id, slotAfter(target, now(organizationId)), session);
}
