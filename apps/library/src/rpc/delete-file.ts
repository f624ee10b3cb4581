import { now } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import { scopeOf } from '../domain/scope.ts';
import { editNode, findEditedNode, getNode } from '../store/nodes.ts';
import { giveBack } from '../store/storage-usage.ts';
import type { Rpc } from './rpc.ts';

/** What stays of it for repeats weighs nothing. */
const NO_TEXT = { body_text: '', size_bytes: 0, media_ids: [] };

export const deleteFile: Rpc<'deleteFile'> =
  ({ db, transact, inTurn }) =>
  async ({ fileId: id, operationId, expectedRevisions }, { metadata }) => {
    const scope = scopeOf(metadata);
    const edit = { operationId, expectedRevisions, at: now(scope.organizationId) };
    const remove = async (session: ClientSession) => {
      if (await findEditedNode(db, scope, 'file', id, operationId, session)) return;
      const { size_bytes: bytes } = await getNode(db, scope, 'file', id, { session, projection: { body_text: 0 } });
      await editNode(db, scope, 'file', id, { ...NO_TEXT, deleted: true }, edit, session);
      await giveBack(db, session, scope.organizationId, { bytes, files: 1 });
    };
    await inTurn(scope.organizationId, () => transact(remove));
    return {};
  };
