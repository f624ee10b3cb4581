import type { SchedulePostRequest } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import { checkHasContent } from '../../posts/post-content.ts';
import { afterWaiting } from '../../posts/after-waiting.ts';
import { checkRhythm, repeating } from '../../series/repeating.ts';
import { checkFuture } from './check-schedule.ts';
import type { Edit } from './edit.ts';
import { withMisfirePolicy } from './publishing-choices.ts';

/**
 * The rules that need no other data than the request.
 * @throws DomainError missing_field, invalid_request, invalid_value
 */
export function checkSchedulePost(request: SchedulePostRequest, now: Date): void {
  const { scheduledPublishTime: at } = request;
  const param = 'scheduled_publish_time';
  if (!at) throw new DomainError('missing_field', 'Set scheduled_publish_time to schedule a post.', { param });
  checkFuture(at, now);
  checkRhythm(request, now);
}

/** Schedules a post, or moves a scheduled one to another time. A post in a queue leaves it. */
export function schedulePost(request: SchedulePostRequest): Edit {
  return (before, now) => {
    if (before.status === 'POST_STATUS_PUBLISHED') {
      throw new DomainError('conflict', 'This post is published and can no longer be scheduled.');
    }
    const { scheduledPublishTime: at, updateMask = [] } = request;
    if (!at) throw new DomainError('internal_error', 'A schedule request without a time passed its checks.');
    let post = { ...before };
    if (updateMask.includes('restrict_publish_to')) post.restrict_publish_to = request.restrictPublishTo;
    if (updateMask.includes('restrict_publish_to_integration_ids')) {
      post.restrict_publish_to_integration_ids = request.restrictPublishToIntegrationIds;
    }
    if (updateMask.includes('misfire_policy')) post = withMisfirePolicy(post, request.misfirePolicy);
    if (updateMask.some((name) => name.startsWith('repeating_'))) post = repeating(post, request, now);
    checkHasContent(post);
    const { queue_id: _queue, ...alone } = post;
    return {
      post: { ...alone, status: 'POST_STATUS_SCHEDULED', scheduled_publish_time: at, next_due_at: at },
      changes: ['POST_CHANGE_SCHEDULED'],
    };
  };
}

/** Restores the status that the post had before it was scheduled. A post that an account has already, because it was published early, becomes PUBLISHED. */
export const unschedulePost: Edit = (before) => {
  if (before.status !== 'POST_STATUS_SCHEDULED') throw new DomainError('conflict', 'This post is not scheduled.');
  const post = afterWaiting(before);
  const isPublished = post.status === 'POST_STATUS_PUBLISHED';
  return { post, changes: ['POST_CHANGE_UNSCHEDULED', ...(isPublished ? ['POST_CHANGE_PUBLISHED' as const] : [])] };
};
