import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import type { PostDocument } from '../store/posts.ts';
import { nextTime } from './repeating-cron.ts';

/**
 * The post that follows this one in its series, due strictly after `after`; undefined when it is one-off. It has what this one has, but no
 * results. Its id is the same for the same series and time: it is created once, whoever claims what and how often.
 */
export function nextOccurrence(post: PostDocument, after: Date, now: Date): PostDocument | undefined {
  const at = post.repeating_cron === undefined ? undefined : nextTime(post.repeating_cron, after);
  if (!at) return undefined;
  const series_id = post.series_id ?? post._id;
  const { published_at: _published, operation_ids: _operations, ...kept } = post;
  return {
    ...kept,
    _id: occurrenceId(series_id, at),
    series_id,
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

/** A UUID v7, as all ids are, though it is derived: its time is the occurrence's, its random part a digest of what it stands for. */
function occurrenceId(seriesId: string, at: Date): string {
  const random = createHash('sha256').update(`${seriesId}:${at.toISOString()}`).digest();
  return v7({ msecs: at.getTime(), random });
}
