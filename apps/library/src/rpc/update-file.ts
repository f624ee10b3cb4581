import { changeNode } from '../documents/change-node.ts';
import { placeOf, requireChanges } from '../documents/changes.ts';
import { readContent } from '../documents/read-content.ts';
import { showFile } from '../documents/show.ts';
import { scopeOf } from '../scope.ts';
import { parseStorageLimits } from '../storage/domain/storage-limits.ts';
import { lockFolder } from '../documents/store/folders.ts';
import { editNode, getNode } from '../documents/store/nodes.ts';
import { charge, checkRoom } from '../storage/store/storage-usage.ts';
import type { Rpc } from './rpc.ts';

export const updateFile: Rpc<'updateFile'> =
  (context) =>
  async (request, { metadata }) => {
    const { db } = context;
    const { fileId: id, content } = request;
    const scope = scopeOf(metadata);
    const changes = { ...placeOf(request), ...(content !== undefined && readContent(content, context)) };
    requireChanges(changes);
    const limits = parseStorageLimits(metadata.storageLimits);
    const file = await changeNode(context, scope, 'file', { id, ...request }, async (edit, session) => {
      const before = await getNode(db, scope, 'file', id, { session, projection: { body_text: 0 } });
      const { parent_id: folderId } = changes;
      if (folderId && folderId !== before.parent_id) await lockFolder(db, scope, folderId, session, 'parent_id');
      const edited = await editNode(db, scope, 'file', id, changes, edit, session);
      const bytes = edited.size_bytes - before.size_bytes;
      if (bytes > 0) await checkRoom(db, scope.organizationId, { bytes, files: 0 }, limits);
      if (bytes !== 0) await charge(db, session, scope.organizationId, { bytes, files: 0 }, limits);
      return edited;
    });
    return { file: await showFile(context, scope, file) };
  };
