import type { Unpublish } from '../connector.ts';
import { isMissing } from '../calls/is-missing.ts';
import { pinterestCall } from './pinterest-call.ts';

/** Deletes a pin. */
export const unpublish: Unpublish = async (call, publishId) => {
  try {
    await pinterestCall(call, { method: 'DELETE', path: `/pins/${encodeURIComponent(publishId)}` });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
};
