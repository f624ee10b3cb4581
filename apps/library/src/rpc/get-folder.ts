import { showFolder } from '../documents/show.ts';
import { scopeOf } from '../scope.ts';
import { getNode } from '../documents/store/nodes.ts';
import type { Rpc } from './rpc.ts';

export const getFolder: Rpc<'getFolder'> =
  (context) =>
  async ({ folderId }, { metadata }) => {
    const scope = scopeOf(metadata);
    return { folder: await showFolder(context, scope, await getNode(context.db, scope, 'folder', folderId)) };
  };
