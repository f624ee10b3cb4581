import type { DeleteFileRequest } from '@fanfare/contracts/library/documents';
import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { giveBack } from '../storage/store/storage-usage.ts';
import { changeNode } from './change-node.ts';
import { editNode, getNode } from './store/nodes.ts';

/** The deletion mark has no text. */
const NO_TEXT = { body_text: '', size_bytes: 0, media_ids: [] };

/** Deletes a file, and gives its storage back. A repeated operation changes nothing. */
export async function deleteFile(context: Context, request: DeleteFileRequest, metadata: CallMetadata): Promise<void> {
  const { db } = context;
  const { fileId: id, ...operation } = request;
  const scope = scopeOf(metadata);
  await changeNode(context, scope, 'file', { id, ...operation }, async (edit, session) => {
    const { size_bytes: bytes } = await getNode(db, scope, 'file', id, { session, projection: { body_text: 0 } });
    const deleted = await editNode(db, scope, 'file', id, { ...NO_TEXT, deleted: true }, edit, session);
    await giveBack(db, session, scope.organizationId, { bytes, files: 1 });
    return deleted;
  });
}
