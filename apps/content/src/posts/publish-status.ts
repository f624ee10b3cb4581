import type { PublishStatus } from '@fanfare/contracts/content';
import { isTerminal } from './is-publishing.ts';
import type { PostDocument } from './post.ts';

/** How publishing went, in all; undefined for a post that was never sent from here. */
export function publishStatusOf({ publish_results: results, last_failure }: PostDocument): PublishStatus | undefined {
  if (results.length === 0) return last_failure && 'PUBLISH_STATUS_FAILED';
  if (results.some(({ status }) => !isTerminal(status))) return 'PUBLISH_STATUS_SENDING';
  // Somebody has to look, whatever became of the others.
  if (results.some(({ errorType }) => errorType === 'unknown_outcome')) return 'PUBLISH_STATUS_IN_DOUBT';
  const succeeded = results.filter(({ status }) => status === 'PUBLISH_RESULT_STATUS_SUCCESS').length;
  if (succeeded === 0) return 'PUBLISH_STATUS_FAILED';
  return succeeded === results.length && !last_failure ? 'PUBLISH_STATUS_SUCCEEDED' : 'PUBLISH_STATUS_PARTIALLY_FAILED';
}
