import { DomainError } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import { scopeOf } from '../domain/scope.ts';
import { isFolderInUse } from '../store/folders.ts';
import { editNode, findEditedNode } from '../store/nodes.ts';
import type { Rpc } from './rpc.ts';

export const deleteFolder: Rpc<'deleteFolder'> =
  ({ db, transact }) =>
  async ({ folderId: id, operationId, expectedRevisions }, { metadata }) => {
    const scope = scopeOf(metadata);
    const edit = { operationId, expectedRevisions, at: now(scope.organizationId) };
    await transact(async (session) => {
      if (await findEditedNode(db, scope, 'folder', id, operationId, session)) return;
      // Written first: whoever puts something into the folder from now on writes it too, and one of us begins anew.
      await editNode(db, scope, 'folder', id, { deleted: true }, edit, session);
      if (!(await isFolderInUse(db, scope, id, session))) return;
      throw new DomainError('invalid_request', 'The folder is not empty: it still holds files, folders or media.');
    });
    return {};
  };
