import type { PostDocument, ResultDocument } from './post.ts';

/** The post when it waits for nothing any more: PUBLISHED if an account has it (with `all_or_nothing`, if all have it), otherwise with the status from its last review. */
export function afterWaiting(post: PostDocument): PostDocument {
  const alone = withoutTime(post);
  if (post.status === 'POST_STATUS_PUBLISHED') return alone;
  const published_at = isPublishedBy(post) ? publishedAt(post) : undefined;
  return published_at ? { ...alone, status: 'POST_STATUS_PUBLISHED', published_at } : { ...alone, status: post.verdict };
}

/** The post without a time, and in no queue. The status from its last review stays. */
export function withoutTime(post: PostDocument): PostDocument {
  const { scheduled_publish_time: _time, next_due_at: _due, queue_id: _queue, early_integration_ids: _early, ...rest } = post;
  return rest;
}

/** The time of its first success or, with `all_or_nothing`, of its last one; undefined if it has none. */
export function publishedAt({ strategy, publish_results: results }: Pick<PostDocument, 'strategy' | 'publish_results'>): Date | undefined {
  const times = results
    .filter(({ status }) => status === 'PUBLISH_RESULT_STATUS_SUCCESS')
    .map(({ dueAt, lagMs }) => dueAt.getTime() + (lagMs ?? 0));
  const which = strategy === 'PUBLISH_STRATEGY_ALL_OR_NOTHING' ? Math.max : Math.min;
  return times.length > 0 ? new Date(which(...times)) : undefined;
}

/** The results of its newest publication. */
export const newestResults = ({
  publish_results: results,
  publication_ids: ids,
}: Pick<PostDocument, 'publish_results' | 'publication_ids'>): ResultDocument[] =>
  results.filter(({ publicationId }) => publicationId === ids.at(-1));

/**
 * Whether its results make a post PUBLISHED: one success or, with `all_or_nothing`, nothing but successes in its newest publication. Results of former ones can be of
 * accounts that it no longer goes to.
 */
export function isPublishedBy(post: Pick<PostDocument, 'strategy' | 'publish_results' | 'publication_ids'>): boolean {
  const { strategy, publish_results: results } = post;
  const isSuccess = ({ status }: { status: string }) => status === 'PUBLISH_RESULT_STATUS_SUCCESS';
  if (strategy !== 'PUBLISH_STRATEGY_ALL_OR_NOTHING') return results.some(isSuccess);
  const newest = newestResults(post);
  return results.length > 0 && (newest.length > 0 ? newest : results).every(isSuccess);
}
