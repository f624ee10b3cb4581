import type { Call, Unpublish } from '../connector.ts';
import { at, unreadable } from '../calls/fields.ts';
import { graphCall } from '../graph/graph-call.ts';
import { isNoSuchObject } from './errors.ts';

/** Deletes a post, photo or video by its id. */
export const unpublish: Unpublish = async (call, publishId) => {
  const path = `/${encodeURIComponent(publishId)}`;
  try {
    const response = await graphCall(call, { method: 'DELETE', path });
    if (at(response, 'success') !== true) throw unreadable('the response does not report success');
  } catch (error) {
    if (!isNoSuchObject(error) || !(await isDeleted(call, path))) throw error;
  }
};

/** Facebook gives the same error for an object that does not exist and for one that we may not delete. The page's token reads every object of the page. */
async function isDeleted(call: Call, path: string): Promise<boolean> {
  try {
    await graphCall(call, { method: 'GET', path, query: { fields: 'id' } });
    return false;
  } catch (error) {
    if (!isNoSuchObject(error)) throw error;
    return true;
  }
}
