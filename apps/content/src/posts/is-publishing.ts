import type { PublishResultStatus } from '@fanfare/contracts/content';
import type { PostDocument } from './post.ts';

export const isTerminal = (status: PublishResultStatus): boolean =>
  status === 'PUBLISH_RESULT_STATUS_SUCCESS' || status === 'PUBLISH_RESULT_STATUS_FAILED';

/**
 * Whether a publication of the post is running. Until every result is terminal, the post cannot be edited or claimed again. The exception is a scheduled
 * post that is being published early to some accounts: when its time comes, it is published to the others.
 */
export const isPublishing = (post: PostDocument): boolean => post.publish_results.some(({ status }) => !isTerminal(status));
