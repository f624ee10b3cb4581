import type { RemovalChanged } from '@fanfare/contracts/publisher/events';
import type { PostDocument } from '../posts/post.ts';

/**
 * Applies a change of a removal to its post. Returns undefined if it changes nothing: the revision is old, or the removal was replaced by another one.
 */
export function applyRemoval(post: PostDocument, changed: RemovalChanged, revision: number, now: Date): PostDocument | undefined {
  const index = post.publish_results.findIndex(({ removal }) => removal?.id === changed.removalId);
  const before = post.publish_results[index];
  if (!before?.removal || before.removal.revision >= revision) return undefined;
  const { status, errorType, detail } = changed;
  const removal = { id: changed.removalId, status, errorType, detail, updatedAt: now, revision };
  const publish_results = post.publish_results.with(index, { ...before, removal });
  return { ...post, publish_results, revision: post.revision + 1, updated_at: now };
}
