import type { ClientSession, Db } from 'mongodb';
import type { PostDocument } from '../posts/post.ts';
import { findQueuesById } from './store/queues.ts';
import { withQueueTargets } from './with-queue-targets.ts';

const TARGET_FIELDS = ['restrict_publish_to', 'restrict_publish_to_integration_ids'];

/**
 * A post that leaves its queue, also for another one, keeps the targets that it had there: a change of when it is published must not send it to more
 * accounts than before.
 * @param given the fields that the request sets; if it sets targets, those are the ones
 */
export async function keepQueueTargets(
  db: Db,
  session: ClientSession,
  before: PostDocument,
  after: PostDocument,
  given: readonly string[],
): Promise<PostDocument> {
  if (before.queue_id === undefined || before.queue_id === after.queue_id) return after;
  if (given.some((name) => TARGET_FIELDS.includes(name))) return after;
  return withQueueTargets(after, (await findQueuesById(db, [before.queue_id], session)).get(before.queue_id));
}
