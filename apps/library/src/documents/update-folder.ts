import type { UpdateFolderRequest } from '@fanfare/contracts/library/documents';
import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { changeNode } from './change-node.ts';
import { placeOf, requireChanges } from './changes.ts';
import { lockForMove } from './lock-parent.ts';
import { editNode, getNode, type FolderDocument } from './store/nodes.ts';

/** Renames or moves a folder. A repeated operation changes nothing. */
export async function updateFolder(context: Context, request: UpdateFolderRequest, metadata: CallMetadata): Promise<FolderDocument> {
  const { db } = context;
  const { folderId: id } = request;
  const scope = scopeOf(metadata);
  const changes = placeOf(request);
  requireChanges(changes);
  return changeNode(context, scope, 'folder', { id, ...request }, async (edit, session) => {
    const { parent_id } = await getNode(db, scope, 'folder', id, { session });
    if (changes.parent_id !== undefined && changes.parent_id !== parent_id) await lockForMove(db, scope, id, changes.parent_id, session);
    return editNode(db, scope, 'folder', id, changes, edit, session);
  });
}
