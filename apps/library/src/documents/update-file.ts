import type { UpdateFileRequest } from '@fanfare/contracts/library/documents';
import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { parseStorageLimits } from '../storage/domain/storage-limits.ts';
import { charge, checkRoom } from '../storage/store/storage-usage.ts';
import { changeNode } from './change-node.ts';
import { placeOf, requireChanges } from './changes.ts';
import { readContent } from './read-content.ts';
import { lockFolder } from './store/folders.ts';
import { editNode, getNode, type FileDocument } from './store/nodes.ts';

/** Changes a file and its size in the organization's storage. A repeated operation changes nothing. */
export async function updateFile(context: Context, request: UpdateFileRequest, metadata: CallMetadata): Promise<FileDocument> {
  const { db } = context;
  const { fileId: id, content } = request;
  const scope = scopeOf(metadata);
  const changes = { ...placeOf(request), ...(content !== undefined && readContent(content, context)) };
  requireChanges(changes);
  const limits = parseStorageLimits(metadata.storageLimits);
  return changeNode(context, scope, 'file', { id, ...request }, async (edit, session) => {
    const before = await getNode(db, scope, 'file', id, { session, projection: { body_text: 0 } });
    const { parent_id: folderId } = changes;
    if (folderId && folderId !== before.parent_id) await lockFolder(db, scope, folderId, session, 'parent_id');
    const edited = await editNode(db, scope, 'file', id, changes, edit, session);
    const bytes = edited.size_bytes - before.size_bytes;
    if (bytes > 0) await checkRoom(db, scope.organizationId, { bytes, files: 0 }, limits);
    if (bytes !== 0) await charge(db, session, scope.organizationId, { bytes, files: 0 }, limits);
    return edited;
  });
}
