import { deleteMetaUserData as deleteData } from '../meta/delete-meta-user-data.ts';
import { toDataDeletion } from '../meta/store/data-deletions.ts';
import type { Rpc } from './rpc.ts';

export const deleteMetaUserData: Rpc<'deleteMetaUserData'> =
  (context) =>
  async ({ signedRequest }, call) => ({ deletion: toDataDeletion(await deleteData(context, signedRequest, call)) });
