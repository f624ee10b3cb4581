import { DomainError } from '@fanfare/errors';
import { changeNode } from '../documents/change-node.ts';
import { scopeOf } from '../scope.ts';
import { isFolderInUse } from '../documents/store/folders.ts';
import { editNode } from '../documents/store/nodes.ts';
import type { Rpc } from './rpc.ts';

export const deleteFolder: Rpc<'deleteFolder'> =
  (context) =>
  async ({ folderId: id, ...operation }, { metadata }) => {
    const { db } = context;
    const scope = scopeOf(metadata);
    await changeNode(context, scope, 'folder', { id, ...operation }, async (edit, session) => {
      // Writes the folder first: a concurrent transaction that puts something into it conflicts, and one of the two is retried.
      const deleted = await editNode(db, scope, 'folder', id, { deleted: true }, edit, session);
      if (!(await isFolderInUse(db, scope, id, session))) return deleted;
      throw new DomainError('invalid_request', 'The folder is not empty. It still contains files, folders or media.');
    });
    return {};
  };
