import type { QueuePostRequest } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import { checkHasContent } from '../../posts/post-content.ts';
import type { PostDocument } from '../../posts/post.ts';
import { withoutTime } from '../../posts/after-waiting.ts';
import type { Edit } from './edit.ts';

/**
 * The rules that need no other data than the request.
 * @throws DomainError invalid_value
 */
export function checkQueuePost({ position }: Pick<QueuePostRequest, 'position'>): void {
  if (position !== undefined && position < 1) throw new DomainError('invalid_value', 'position must be at least 1.', { param: 'position' });
}

/**
 * Puts a post into a queue, or moves it there.
 * @param defaultQueueId that of the business, for a post that is in no queue
 */
export function queuePost({ queueId, position }: Pick<QueuePostRequest, 'queueId' | 'position'>, defaultQueueId: string | undefined): Edit {
  return (before) => {
    const chosen = queueId ?? before.queue_id ?? defaultQueueId;
    if (chosen === undefined)
      throw new DomainError('missing_field', 'This business has no queue yet. Create one, and name it in queue_id.', { param: 'queue_id' });
    const post = queued(before, chosen);
    checkNotRepeating(post);
    return { post, changes: ['POST_CHANGE_SCHEDULED'], place: { position } };
  };
}

/**
 * The post in a queue.
 * @throws DomainError conflict if it is published; missing_field `caption`
 */
export function queued(before: PostDocument, queueId: string): PostDocument {
  if (before.status === 'POST_STATUS_PUBLISHED')
    throw new DomainError('conflict', 'This post is published and can no longer be put into a queue.');
  const { early_integration_ids } = before;
  const post: PostDocument = {
    ...withoutTime(before),
    ...(early_integration_ids && { early_integration_ids }),
    status: 'POST_STATUS_SCHEDULED',
    queue_id: queueId,
  };
  checkHasContent(post);
  return post;
}

/** @throws DomainError invalid_request `repeating_cron` */
export function checkNotRepeating({ queue_id, repeating_cron }: Pick<PostDocument, 'queue_id' | 'repeating_cron'>): void {
  if (queue_id !== undefined && repeating_cron !== undefined) throw repeatsInQueue();
}

/** A queue decides when its posts are published, and so does a cron. */
export const repeatsInQueue = () =>
  new DomainError('invalid_request', 'A post in a queue cannot repeat. Remove repeating_cron, or schedule the post to a time.', {
    param: 'repeating_cron',
  });
