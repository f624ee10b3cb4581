import type { PostDocument } from '../posts/post.ts';
import type { QueueDocument } from './queue.ts';

/** The post with the targets of its queue, if it has none of its own. A claim stores them, so that publishing the post again goes to the same targets. */
export function withQueueTargets(post: PostDocument, queue: Pick<QueueDocument, 'restrict_publish_to'> | undefined): PostDocument {
  if (!queue || post.restrict_publish_to.length > 0 || post.restrict_publish_to_integration_ids.length > 0) return post;
  return { ...post, restrict_publish_to: queue.restrict_publish_to };
}
