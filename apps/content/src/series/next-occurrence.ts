import { derivedId } from '@fanfare/runtime';
import type { PostDocument } from '../posts/post.ts';
import { withContent } from './series-content.ts';
import { nextTime } from './repeating-cron.ts';

/** Whether the next post of its series is created when this one is claimed. At most one post of a series continues it: the newest. */
export const continuesSeries = <P extends Pick<PostDocument, 'repeating_cron' | 'is_followed'>>(
  post: P,
): post is P & { readonly repeating_cron: string } => post.repeating_cron !== undefined && !post.is_followed;

/**
 * The next post in the series of a post that is being claimed. Undefined if the post does not repeat, or was claimed before: publishing it again must
 * neither continue a series that was ended nor create a second successor. The next post is a copy without results. Its id derives from the series and the
 * time, so that it is created once.
 * @param dueAt of the claimed post: a clock behind the database's must not find the same time again
 */
export function nextOccurrence(claimed: PostDocument, dueAt: Date, now: Date): PostDocument | undefined {
  if (!continuesSeries(claimed)) return undefined;
  // A post that is published early must not find its own time, because the series would end with it.
  const ownTime = claimed.series_time ?? claimed.scheduled_publish_time ?? now;
  const after = new Date(Math.max(now.getTime(), dueAt.getTime(), ownTime.getTime()));
  const at = nextTime(claimed.repeating_cron, after, claimed.repeating_timezone);
  if (!at) return undefined;
  const series_id = claimed.series_id ?? claimed._id;
  const {
    published_at: _published,
    operation_ids: _operations,
    last_failure: _failure,
    early_integration_ids: _early,
    next_content,
    ...kept
  } = claimed;
  return {
    ...(next_content ? withContent(kept, next_content) : kept),
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
