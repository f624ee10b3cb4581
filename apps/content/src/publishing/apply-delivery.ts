import type { PublishResultStatus } from '@fanfare/contracts/content';
import type { PostChange } from '@fanfare/contracts/content/events';
import type { DeliveryChanged, DeliveryStatus } from '@fanfare/contracts/publisher/events';
import { isPublishing } from '../posts/is-publishing.ts';
import type { PostDocument, ResultDocument } from '../posts/post.ts';
import { isWaiting } from '../targets/is-waiting.ts';
import { isPublishedBy, publishedAt, afterWaiting, withoutTime } from '../posts/after-waiting.ts';

/**
 * Applies a change of a delivery to its post. Returns undefined if it changes nothing: the revision is old, or the delivery was replaced by another one.
 */
export function applyDelivery(post: PostDocument, delivery: DeliveryChanged, revision: number, now: Date): PostDocument | undefined {
  const index = post.publish_results.findIndex(({ deliveryId }) => deliveryId === delivery.deliveryId);
  const before = post.publish_results[index];
  if (!before || before.revision >= revision) return undefined;
  const publish_results = post.publish_results.with(index, resultOf(before, delivery, revision, now));
  return withStatus(post, { ...post, publish_results, revision: post.revision + 1, updated_at: now }, delivery);
}

/** The changes that a delivery's event has made in the post. One that is back in its queue waits again: nothing has failed for good. */
export function whatChanged(before: PostDocument, after: PostDocument): PostChange[] {
  if (after.queue_id !== undefined && before.queue_id === undefined) return ['POST_CHANGE_RESULT_CHANGED', 'POST_CHANGE_SCHEDULED'];
  const isPublished = before.status !== 'POST_STATUS_PUBLISHED' && after.status === 'POST_STATUS_PUBLISHED';
  const isEnded = isPublishing(before) && !isPublishing(after);
  return [
    'POST_CHANGE_RESULT_CHANGED',
    ...(isPublished ? ['POST_CHANGE_PUBLISHED' as const] : []),
    ...(isEnded ? ['POST_CHANGE_ENDED' as const] : []),
  ];
}

/**
 * The first success makes a post PUBLISHED for good; with `all_or_nothing`, the last one of all does. If all deliveries ended without a success, the post returns to its previous status. A scheduled post
 * stays scheduled, whatever the results of accounts that it was sent to early or before it was scheduled: it becomes PUBLISHED at its time.
 */
function withStatus(before: PostDocument, post: PostDocument, delivery: DeliveryChanged): PostDocument {
  if (post.status === 'POST_STATUS_PUBLISHED' || isWaiting(post)) return post;
  if (delivery.status === 'DELIVERY_STATUS_SUCCESS' && isPublishedBy(post)) {
    return { ...withoutTime(post), status: 'POST_STATUS_PUBLISHED', published_at: timeOf(post, delivery) };
  }
  return isPublishing(before) && !isPublishing(post) ? afterWaiting(post) : post;
}

/** With `all_or_nothing`, the time of the last success of all: their events come in any order. */
const timeOf = (post: PostDocument, { publishedAt: ofDelivery }: DeliveryChanged): Date =>
  (post.strategy === 'PUBLISH_STRATEGY_ALL_OR_NOTHING' ? publishedAt(post) : ofDelivery) ?? post.updated_at;

const STATUS: Record<DeliveryStatus, PublishResultStatus> = {
  DELIVERY_STATUS_UNSPECIFIED: 'PUBLISH_RESULT_STATUS_PENDING',
  DELIVERY_STATUS_PENDING: 'PUBLISH_RESULT_STATUS_PENDING',
  DELIVERY_STATUS_PROCESSING: 'PUBLISH_RESULT_STATUS_PROCESSING',
  DELIVERY_STATUS_SUCCESS: 'PUBLISH_RESULT_STATUS_SUCCESS',
  DELIVERY_STATUS_FAILED: 'PUBLISH_RESULT_STATUS_FAILED',
};

function resultOf(before: ResultDocument, delivery: DeliveryChanged, revision: number, now: Date): ResultDocument {
  return {
    ...before,
    status: STATUS[delivery.status],
    publishId: delivery.publishId,
    postUrl: delivery.postUrl,
    errorType: delivery.errorType,
    errorMessage: delivery.errorMessage,
    attempts: delivery.attempts,
    lagMs: delivery.publishedAt && Math.max(0, delivery.publishedAt.getTime() - before.dueAt.getTime()),
    warnings: delivery.warnings,
    waiting: delivery.waiting,
    updatedAt: now,
    revision,
  };
}
