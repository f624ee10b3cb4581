import type { Unpublish } from '../connector.ts';
import { isMissing } from '../calls/is-missing.ts';
import { googleCall } from '../google/google-call.ts';
import { rules } from './errors.ts';
import { POSTS_URL } from './limits.ts';

/** Deletes a post by its name. */
export const unpublish: Unpublish = async (call, publishId) => {
  try {
    await googleCall(call, { method: 'DELETE', url: `${POSTS_URL}/${publishId}` }, rules);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
};
