import type { Db } from 'mongodb';
import type { PostDocument } from '../posts/post.ts';
import type { GivenPlace } from './follow-queue.ts';
import { estimateOf } from './places-of-posts.ts';
import type { QueueDocument } from './queue.ts';
import { findPositions } from './store/queue-blocks.ts';

/**
 * When a waiting post is published as things stand: at its time, or at the slot for its place in its queue. Undefined if its queue publishes nothing.
 * @param queue that of the post, before the post is put there
 * @param place where a change puts it; by default it stays where it is, or goes to the end
 */
export async function plannedTime(
  db: Db,
  post: PostDocument,
  queue: QueueDocument | undefined,
  place?: GivenPlace,
): Promise<Date | undefined> {
  if (post.scheduled_publish_time) return post.scheduled_publish_time;
  if (!queue) return undefined;
  const current = (await findPositions(db, [post._id])).get(post._id);
  const isThere = current?.queueId === queue._id;
  const end = queue.post_count + (isThere ? 0 : 1);
  const position = place ? (place.position ?? end) : isThere ? current.position : end;
  return estimateOf(queue)(Math.min(position, end));
}
