import type { PostDocument, ResultDocument } from './post.ts';

/** The post when it waits for nothing any more: PUBLISHED if an account has it, otherwise with the status from its last review. */
export function settled(post: PostDocument): PostDocument {
  const alone = withoutTime(post);
  if (post.status === 'POST_STATUS_PUBLISHED') return alone;
  const published_at = firstSuccess(post.publish_results);
  return published_at ? { ...alone, status: 'POST_STATUS_PUBLISHED', published_at } : { ...alone, status: post.verdict };
}

/** The post without a time. The status from its last review stays. */
export function withoutTime(post: PostDocument): PostDocument {
  const { scheduled_publish_time: _time, next_due_at: _due, early_integration_ids: _early, ...rest } = post;
  return rest;
}

function firstSuccess(results: readonly ResultDocument[]): Date | undefined {
  const times = results
    .filter(({ status }) => status === 'PUBLISH_RESULT_STATUS_SUCCESS')
    .map(({ dueAt, lagMs }) => dueAt.getTime() + (lagMs ?? 0));
  return times.length > 0 ? new Date(Math.min(...times)) : undefined;
}
