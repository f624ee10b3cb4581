import { derivedId } from '@fanfare/runtime';
import type { PostDocument } from '../posts/post.ts';
import { nextTime } from './repeating-cron.ts';

/**
 * The post that follows in the series of one that is claimed now; undefined when it is one-off, or was claimed before: to send it
 * again must neither revive a series that was ended since nor begin a second one. It has what this one has, but no results. Its
 * id is the same for the same series and time: it is created once, whoever claims what and how often.
 * @param dueAt of the one that is claimed: a clock that lags behind the database's must not find the same time again
 */
export function nextOccurrence(claimed: PostDocument, dueAt: Date, now: Date): PostDocument | undefined {
  if (claimed.repeating_cron === undefined || claimed.is_followed) return undefined;
  // One that is sent before its own time must not find itself: the series would end with it.
  const ownTime = claimed.series_time ?? claimed.scheduled_publish_time ?? now;
  const after = new Date(Math.max(now.getTime(), dueAt.getTime(), ownTime.getTime()));
  const at = nextTime(claimed.repeating_cron, after, claimed.repeating_timezone);
  if (!at) return undefined;
  const series_id = claimed.series_id ?? claimed._id;
  const { published_at: _published, operation_ids: _operations, last_failure: _failure, early_integration_ids: _early, ...kept } = claimed;
  return {
    ...kept,
    _id: derivedId(series_id, at.toISOString(), at),
    series_id,
    series_time: at,
    created_at: now,
    updated_at: now,
    revision: 1,
    status: 'POST_STATUS_SCHEDULED',
    scheduled_publish_time: at,
    next_due_at: at,
    publish_results: [],
    publication_ids: [],
  };
}
