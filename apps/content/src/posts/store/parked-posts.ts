import type { Closable } from '@fanfare/erasure';
import type { ClientSession, Db, Filter } from 'mongodb';
import type { PostDocument } from '../post.ts';
import { posts, type DuePost } from './posts.ts';

/**
 * The due time of parked posts: those that became due while their business was closed, because it is being deleted. They are still scheduled and waiting, but
 * nothing finds them due, however many they are.
 */
const PARKED_UNTIL = new Date('9999-12-31T00:00:00.000Z');

/** Parks posts that still wait for exactly this time. This is no change of the post: a scheduled post in no queue is always due at its scheduled time. */
export async function parkPosts(db: Db, due: readonly DuePost[], session: ClientSession): Promise<void> {
  const updates = due.map(({ _id, next_due_at }) => ({
    updateOne: { filter: { _id, next_due_at } as Filter<PostDocument>, update: { $set: { next_due_at: PARKED_UNTIL } } },
  }));
  if (updates.length > 0) await posts(db).bulkWrite(updates, { session });
}

/** Lets parked posts be due at their scheduled times again, which are past. @returns how many; 0 means that none is left */
export async function unparkPosts(
  db: Db,
  { organization_id, business_id }: Pick<Closable, 'organization_id'> & Partial<Closable>,
  limit: number,
): Promise<number> {
  const parked: Filter<PostDocument> = {
    status: 'POST_STATUS_SCHEDULED',
    next_due_at: PARKED_UNTIL,
    organization_id,
    ...(business_id !== undefined && { business_id }),
  };
  const found = await posts(db)
    .find(parked, { projection: { _id: 1 }, hint: 'due' })
    .limit(limit)
    .toArray();
  if (found.length === 0) return 0;
  await posts(db).updateMany({ ...parked, _id: { $in: found.map(({ _id }) => _id) } }, [
    { $set: { next_due_at: '$scheduled_publish_time' } },
  ]);
  return found.length;
}
