import type { PublishResultStatus } from '@fanfare/contracts/content';
import type { PostDocument } from './post.ts';

export const isTerminal = (status: PublishResultStatus): boolean =>
  status === 'PUBLISH_RESULT_STATUS_SUCCESS' || status === 'PUBLISH_RESULT_STATUS_FAILED';

/**
 * Whether a publication of the post is under way; it cannot be edited or claimed again until every result is terminal. Only its time may come
 * while it is sent to some accounts ahead of that: then it is sent to the rest beside them.
 */
export const isPublishing = (post: PostDocument): boolean => post.publish_results.some(({ status }) => !isTerminal(status));
