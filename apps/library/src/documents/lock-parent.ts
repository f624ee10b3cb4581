import { DomainError } from '@fanfare/errors';
import type { ClientSession, Db } from 'mongodb';
import { checkDepth } from './domain/folder-depth.ts';
import type { Scope } from '../scope.ts';
import { folderChain, folderLevels, lockFolder, lockTree, noSuchFolder } from './store/folders.ts';

/**
 * Checks that a folder may be moved into another one, and locks the tree, so that this stays true until the transaction ends.
 * @param parentId the new parent; null is the root
 * @throws DomainError invalid_value, param `parent_id`
 */
export async function lockForMove(db: Db, scope: Scope, folderId: string, parentId: string | null, session: ClientSession): Promise<void> {
  if (parentId === null) return;
  const above = await lockParent(db, scope, parentId, session);
  if (above.some(({ _id }) => _id === folderId)) {
    throw new DomainError('invalid_value', 'A folder cannot be moved into itself or into a folder below it.', { param: 'parent_id' });
  }
  checkDepth(above.length, await folderLevels(db, scope, folderId, session));
}

/**
 * Checks that a folder may be created in another one, and locks the tree until the transaction ends.
 * @throws DomainError invalid_value, param `parent_id`
 */
export async function lockForNewFolder(db: Db, scope: Scope, parentId: string | null, session: ClientSession): Promise<void> {
  if (parentId === null) return;
  const above = await lockParent(db, scope, parentId, session);
  checkDepth(above.length, 1);
}

async function lockParent(db: Db, scope: Scope, parentId: string, session: ClientSession) {
  await lockTree(db, scope, session);
  await lockFolder(db, scope, parentId, session, 'parent_id');
  const chain = await folderChain(db, scope, parentId, session);
  if (!chain) throw noSuchFolder('parent_id');
  return chain;
}
