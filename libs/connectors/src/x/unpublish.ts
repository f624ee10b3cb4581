import type { Call, Unpublish } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { at, listAt, stringAt, unreadable } from '../calls/fields.ts';
import { xCall } from './x-call.ts';

/** Deletes a post; its first comment, a reply, stays. */
export const unpublish: Unpublish = async (call, publishId) => {
  try {
    const response = await xCall(call, { method: 'DELETE', path: `/tweets/${encodeURIComponent(publishId)}` });
    if (at(response, 'data', 'deleted') !== true) throw unreadable('the response does not report success');
  } catch (error) {
    if (!isRejection(error) || !(await isDeleted(call, publishId))) throw error;
  }
};

/** X does not document its response for a post that does not exist: it may be the one for a post that we may not delete. */
const isRejection = (error: unknown): boolean =>
  error instanceof PlatformFailure && error.effect === 'rejected' && (error.class === 'permission' || error.class === 'validation');

/** Read only after a rejection, because X charges for a post that is read. */
async function isDeleted(call: Call, publishId: string): Promise<boolean> {
  const response = await xCall(call, { method: 'GET', path: '/tweets', query: { ids: publishId }, isLookup: true });
  return listAt(response, 'errors').some(
    (error) => stringAt(error, 'resource_id') === publishId && stringAt(error, 'type')?.endsWith('/resource-not-found') === true,
  );
}
