import type { Page } from '@fanfare/mongo';
import type { Context } from '../context.ts';
import type { Scope } from '../scope.ts';
import { folderChain, noFolderToList } from './store/folders.ts';
import { listNodes, type NodeList } from './store/node-lists.ts';
import type { NodeDocuments, NodeKind } from './store/nodes.ts';
import { pathOf } from './show.ts';

interface ListRequest {
  readonly folderId?: string | undefined;
  readonly pageSize: number;
  readonly pageToken: string;
}

/**
 * Reads a page of the files or folders in a folder, and the folder's path.
 * @throws DomainError invalid_value, permission_denied (folder_id); invalid_request (cursor)
 */
export async function listFolder<K extends NodeKind>(
  { db }: Pick<Context, 'db'>,
  scope: Scope,
  kind: K,
  request: ListRequest,
): Promise<{ list: NodeList<K>; page: Page<NodeDocuments[K]> }> {
  const { folderId = null, pageSize, pageToken } = request;
  const chain = await folderChain(db, scope, folderId);
  if (!chain) throw await noFolderToList(db, scope, folderId ?? '');
  const list = { kind, folderId, path: pathOf(chain), pageSize, pageToken };
  return { list, page: await listNodes(db, scope, list) };
}
