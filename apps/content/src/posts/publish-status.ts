import type { PublishStatus } from '@fanfare/contracts/content';
import { isTerminal } from './is-publishing.ts';
import type { PostDocument } from './post.ts';

/** The overall result of publishing; undefined if the post was never sent from here. */
export function publishStatusOf({ publish_results: results, last_failure }: PostDocument): PublishStatus | undefined {
  if (results.length === 0) return last_failure && 'PUBLISH_STATUS_FAILED';
  if (results.some(({ status }) => !isTerminal(status))) return 'PUBLISH_STATUS_SENDING';
  // Takes precedence over the other results, because a person has to check the platform.
  if (results.some(({ errorType }) => errorType === 'unknown_outcome')) return 'PUBLISH_STATUS_IN_DOUBT';
  const succeeded = results.filter(({ status }) => status === 'PUBLISH_RESULT_STATUS_SUCCESS').length;
  if (succeeded === 0) return 'PUBLISH_STATUS_FAILED';
  return succeeded === results.length && !last_failure ? 'PUBLISH_STATUS_SUCCEEDED' : 'PUBLISH_STATUS_PARTIALLY_FAILED';
}
