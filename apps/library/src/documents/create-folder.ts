import type { CreateFolderRequest } from '@fanfare/contracts/library/documents';
import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { createNode, newNode } from './create-node.ts';
import { lockForNewFolder } from './lock-parent.ts';
import type { FolderDocument } from './store/nodes.ts';

/** Creates a folder. A repeated create returns the stored folder. */
export async function createFolder(context: Context, request: CreateFolderRequest, metadata: CallMetadata): Promise<FolderDocument> {
  const { folderId: id, name, parentId } = request;
  const scope = scopeOf(metadata);
  const node = { ...newNode(scope, { id, name, parentId }), kind: 'folder' as const };
  return createNode(context, scope, 'folder', node, (session) => lockForNewFolder(context.db, scope, node.parent_id, session));
}
