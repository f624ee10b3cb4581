import { afterWaiting } from '../../posts/after-waiting.ts';
import type { Edit } from './edit.ts';

/**
 * Marks the post as deleted. The document stays, so that a repeated create does not create the post again, but no query finds it. The indexes of
 * waiting posts contain no deleted posts.
 */
export const deletePost: Edit = (before, now) => ({
  post: { ...(before.status === 'POST_STATUS_SCHEDULED' ? afterWaiting(before) : before), deleted_at: now },
  changes: ['POST_CHANGE_DELETED'],
});
