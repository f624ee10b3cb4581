import type { PostChange } from '@fanfare/contracts/content/events';
import { DomainError } from '@fanfare/errors';
import { isPublishing } from '../../posts/is-publishing.ts';
import type { GivenPlace } from '../../queues/follow-queue.ts';
import type { PostDocument } from '../../posts/post.ts';

/** A post after an edit, and what the edit changed. `revision` and `updated_at` are still the old ones. */
interface Edited {
  readonly post: PostDocument;
  readonly changes: readonly PostChange[];
  /** Where the post is put in its queue; absent: a post that comes into a queue is put at its end, and any other stays where it is. */
  readonly place?: GivenPlace;
  /** A series that ends although the post is not its newest one: that one must end it. */
  readonly endedSeries?: string | undefined;
}

/** Decides how an edit changes a post. Pure: it runs in the transaction that read the post, possibly more than once. */
export type Edit = (post: PostDocument, now: Date) => Edited;

/** @throws DomainError conflict from the claim until every result is terminal */
export function checkNotPublishing(post: PostDocument): void {
  if (isPublishing(post)) {
    throw new DomainError('conflict', 'This post is being published. Change it when every publish result is success or failed.');
  }
}
