import type { Unpublish } from '../connector.ts';
import { isMissing } from '../calls/is-missing.ts';
import { googleCall } from '../google/google-call.ts';
import { rules } from './errors.ts';
import { API_URL } from './limits.ts';

/** Deletes a video. It uses 50 of the units a day that are not left to reading (`quotas.ts`). */
export const unpublish: Unpublish = async (call, publishId) => {
  try {
    await googleCall(call, { method: 'DELETE', url: `${API_URL}/videos`, query: { id: publishId } }, rules);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
};
