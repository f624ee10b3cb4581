import { settled } from '../posts/settled.ts';
import type { Edit } from './edit.ts';

/**
 * The document stays, so that a repeat of what made it does not make it anew; nothing finds it any more. It waits for nothing: the indexes of
 * what waits hold no deleted post.
 */
export const deletePost: Edit = (before, now) => ({
  post: { ...(before.status === 'POST_STATUS_SCHEDULED' ? settled(before) : before), deleted_at: now },
  changes: ['POST_CHANGE_DELETED'],
});
