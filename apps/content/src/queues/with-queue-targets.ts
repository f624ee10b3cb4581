import type { Targeted } from '../targets/target-keys.ts';
import type { QueueDocument } from './queue.ts';

/** The post with the targets of its queue, if it has none of its own. Stored when it leaves the queue, by a claim or a change: it goes to the same targets from then on. */
export function withQueueTargets<T extends Targeted>(post: T, queue: Pick<QueueDocument, 'restrict_publish_to'> | undefined): T {
  if (!queue || post.restrict_publish_to.length > 0 || post.restrict_publish_to_integration_ids.length > 0) return post;
  return { ...post, restrict_publish_to: queue.restrict_publish_to };
}
