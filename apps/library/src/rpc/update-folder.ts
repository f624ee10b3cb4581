import { now } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import { placeOf, refuseNothing } from '../documents/changes.ts';
import { holdMove } from '../documents/hold-place.ts';
import { showFolder } from '../documents/show.ts';
import { scopeOf } from '../domain/scope.ts';
import { editNode, findEditedNode, getNode } from '../store/nodes.ts';
import type { Rpc } from './rpc.ts';

export const updateFolder: Rpc<'updateFolder'> =
  (context) =>
  async (request, { metadata }) => {
    const { db, transact, inTurn } = context;
    const { folderId: id, operationId, expectedRevisions } = request;
    const scope = scopeOf(metadata);
    const changes = placeOf(request);
    refuseNothing(changes);
    const edit = { operationId, expectedRevisions, at: now(scope.organizationId) };
    const change = async (session: ClientSession) => {
      const done = await findEditedNode(db, scope, 'folder', id, operationId, session);
      if (done) return done;
      const { parent_id } = await getNode(db, scope, 'folder', id, { session });
      if (changes.parent_id !== undefined && changes.parent_id !== parent_id) await holdMove(db, scope, id, changes.parent_id, session);
      return editNode(db, scope, 'folder', id, changes, edit, session);
    };
    const folder = await inTurn(scope.organizationId, () => transact(change));
    return { folder: await showFolder(context, scope, folder) };
  };
