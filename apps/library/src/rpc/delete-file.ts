import { changeNode } from '../documents/change-node.ts';
import { scopeOf } from '../scope.ts';
import { editNode, getNode } from '../documents/store/nodes.ts';
import { giveBack } from '../storage/store/storage-usage.ts';
import type { Rpc } from './rpc.ts';

/** The deletion mark has no text. */
const NO_TEXT = { body_text: '', size_bytes: 0, media_ids: [] };

export const deleteFile: Rpc<'deleteFile'> =
  (context) =>
  async ({ fileId: id, ...operation }, { metadata }) => {
    const { db } = context;
    const scope = scopeOf(metadata);
    await changeNode(context, scope, 'file', { id, ...operation }, async (edit, session) => {
      const { size_bytes: bytes } = await getNode(db, scope, 'file', id, { session, projection: { body_text: 0 } });
      const deleted = await editNode(db, scope, 'file', id, { ...NO_TEXT, deleted: true }, edit, session);
      await giveBack(db, session, scope.organizationId, { bytes, files: 1 });
      return deleted;
    });
    return {};
  };
