import type { CreateFileRequest } from '@fanfare/contracts/library/documents';
import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { parseStorageLimits } from '../storage/domain/storage-limits.ts';
import { charge, checkRoom } from '../storage/store/storage-usage.ts';
import { createNode, newNode } from './create-node.ts';
import { readContent } from './read-content.ts';
import { lockFolder } from './store/folders.ts';
import type { FileDocument } from './store/nodes.ts';

/** Creates a file, and counts it in the organization's storage. A repeated create returns the stored file. */
export async function createFile(context: Context, request: CreateFileRequest, metadata: CallMetadata): Promise<FileDocument> {
  const { db } = context;
  const { fileId: id, name, parentId, content } = request;
  const scope = scopeOf(metadata);
  const node = { ...newNode(scope, { id, name, parentId }), kind: 'file' as const, ...readContent(content, context) };
  const limits = parseStorageLimits(metadata.storageLimits);
  return createNode(context, scope, 'file', node, async (session) => {
    const amount = { bytes: node.size_bytes, files: 1 };
    await checkRoom(db, scope.organizationId, amount, limits);
    await charge(db, session, scope.organizationId, amount, limits);
    if (node.parent_id !== null) await lockFolder(db, scope, node.parent_id, session, 'parent_id');
  });
}
