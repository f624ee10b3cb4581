import type { CreatePostRequest } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';

const param = 'scheduled_publish_time';

/** @throws DomainError invalid_request */
export function checkFuture(at: Date, now: Date): void {
  if (at <= now) throw new DomainError('invalid_request', 'scheduled_publish_time must be in the future.', { param });
}

/**
 * Checks a new post: it has a time if and only if its status is SCHEDULED.
 * @throws DomainError missing_field, invalid_request
 */
export function checkSchedule({ status, scheduledPublishTime: at }: CreatePostRequest, now: Date): void {
  if (status !== 'POST_STATUS_SCHEDULED') {
    if (at) throw new DomainError('invalid_request', 'scheduled_publish_time is allowed only with status SCHEDULED.', { param });
    return;
  }
  if (!at) throw new DomainError('missing_field', 'scheduled_publish_time is required with status SCHEDULED.', { param });
  checkFuture(at, now);
}
