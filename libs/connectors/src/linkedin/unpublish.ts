import type { Unpublish } from '../connector.ts';
import { isMissing } from '../calls/is-missing.ts';
import { linkedinCall } from './linkedin-call.ts';

/** Deletes a post by its URN. LinkedIn calls this idempotent: it also reports success for a post that was deleted before. */
export const unpublish: Unpublish = async (call, publishId) => {
  try {
    await linkedinCall(call, {
      method: 'DELETE',
      path: `/posts/${encodeURIComponent(publishId)}`,
      headers: { 'x-restli-method': 'DELETE' },
    });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
};
