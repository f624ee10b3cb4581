import { placeOf, requireChanges } from '../documents/changes.ts';
import { changeNode } from '../documents/change-node.ts';
import { lockForMove } from '../documents/lock-parent.ts';
import { showFolder } from '../documents/show.ts';
import { scopeOf } from '../scope.ts';
import { editNode, getNode } from '../documents/store/nodes.ts';
import type { Rpc } from './rpc.ts';

export const updateFolder: Rpc<'updateFolder'> =
  (context) =>
  async (request, { metadata }) => {
    const { db } = context;
    const { folderId: id } = request;
    const scope = scopeOf(metadata);
    const changes = placeOf(request);
    requireChanges(changes);
    const folder = await changeNode(context, scope, 'folder', { id, ...request }, async (edit, session) => {
      const { parent_id } = await getNode(db, scope, 'folder', id, { session });
      if (changes.parent_id !== undefined && changes.parent_id !== parent_id) await lockForMove(db, scope, id, changes.parent_id, session);
      return editNode(db, scope, 'folder', id, changes, edit, session);
    });
    return { folder: await showFolder(context, scope, folder) };
  };
