import type { DeleteFolderRequest } from '@fanfare/contracts/library/documents';
import { DomainError } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { changeNode } from './change-node.ts';
import { isFolderInUse } from './store/folders.ts';
import { editNode } from './store/nodes.ts';

/** Deletes an empty folder. A repeated operation changes nothing. */
export async function deleteFolder(context: Context, request: DeleteFolderRequest, metadata: CallMetadata): Promise<void> {
  const { db } = context;
  const { folderId: id, ...operation } = request;
  const scope = scopeOf(metadata);
  await changeNode(context, scope, 'folder', { id, ...operation }, async (edit, session) => {
    // Writes the folder first: a concurrent transaction that puts something into it conflicts, and one of the two is retried.
    const deleted = await editNode(db, scope, 'folder', id, { deleted: true }, edit, session);
    if (!(await isFolderInUse(db, scope, id, session))) return deleted;
    throw new DomainError('invalid_request', 'The folder is not empty. It still contains files, folders or media.');
  });
}
