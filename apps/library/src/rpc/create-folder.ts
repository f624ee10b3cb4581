import { createNode, newNode } from '../documents/create-node.ts';
import { lockForNewFolder } from '../documents/lock-parent.ts';
import { showFolder } from '../documents/show.ts';
import { scopeOf } from '../scope.ts';
import type { Rpc } from './rpc.ts';

export const createFolder: Rpc<'createFolder'> =
  (context) =>
  async ({ folderId: id, name, parentId }, { metadata }) => {
    const scope = scopeOf(metadata);
    const node = { ...newNode(scope, { id, name, parentId }), kind: 'folder' as const };
    const folder = await createNode(context, scope, 'folder', node, (session) =>
      lockForNewFolder(context.db, scope, node.parent_id, session),
    );
    return { folder: await showFolder(context, scope, folder) };
  };
