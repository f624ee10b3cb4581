import { DomainError } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import { scopeOf } from '../domain/scope.ts';
import { isFolderInUse } from '../store/folders.ts';
import { editNode, findEditedNode } from '../store/nodes.ts';
import type { Rpc } from './rpc.ts';

export const deleteFolder: Rpc<'deleteFolder'> =
  ({ db, transact, inTurn }) =>
  async ({ folderId: id, operationId, expectedRevisions }, { metadata }) => {
    const scope = scopeOf(metadata);
    const edit = { operationId, expectedRevisions, at: now(scope.organizationId) };
    const remove = async (session: ClientSession) => {
      if (await findEditedNode(db, scope, 'folder', id, operationId, session)) return;
      // Written first: whoever puts something into the folder from now on writes it too, and one of us begins anew.
      await editNode(db, scope, 'folder', id, { deleted: true }, edit, session);
      if (!(await isFolderInUse(db, scope, id, session))) return;
      throw new DomainError('invalid_request', 'The folder is not empty: it still holds files, folders or media.');
    };
    await inTurn(scope.organizationId, () => transact(remove));
    return {};
  };
