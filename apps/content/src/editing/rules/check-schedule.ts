import type { CreatePostRequest } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';

const param = 'scheduled_publish_time';

/** @throws DomainError invalid_request */
export function checkFuture(at: Date, now: Date): void {
  if (at <= now) throw new DomainError('invalid_request', 'scheduled_publish_time must be in the future.', { param });
}

/**
 * Checks a new post: it has a time, or comes into a queue, if and only if its status is SCHEDULED.
 * @throws DomainError missing_field, invalid_request
 */
export function checkSchedule({ status, scheduledPublishTime: at, queueId }: CreatePostRequest, now: Date): void {
  if (queueId !== undefined) {
    checkNoTime(at);
    if (status === 'POST_STATUS_SCHEDULED' || status === 'POST_STATUS_UNSPECIFIED') return;
    throw new DomainError('invalid_request', 'queue_id is allowed only with status SCHEDULED.', { param: 'queue_id' });
  }
  if (status !== 'POST_STATUS_SCHEDULED') {
    if (at) throw new DomainError('invalid_request', 'scheduled_publish_time is allowed only with status SCHEDULED.', { param });
    return;
  }
  if (!at)
    throw new DomainError('missing_field', 'scheduled_publish_time is required with status SCHEDULED, unless there is a queue_id.', {
      param,
    });
  checkFuture(at, now);
}

/**
 * Checks a request with a queue: it has no time.
 * @throws DomainError invalid_request
 */
export function checkNoTime(at: Date | undefined): void {
  if (!at) return;
  throw new DomainError('invalid_request', 'queue_id cannot be combined with scheduled_publish_time.', { param: 'queue_id' });
}
