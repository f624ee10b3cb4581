import { createNode, newNode } from '../documents/create-node.ts';
import { readContent } from '../documents/read-content.ts';
import { showFile } from '../documents/show.ts';
import { scopeOf } from '../scope.ts';
import { parseStorageLimits } from '../storage/domain/storage-limits.ts';
import { lockFolder } from '../documents/store/folders.ts';
import { charge, checkRoom } from '../storage/store/storage-usage.ts';
import type { Rpc } from './rpc.ts';

export const createFile: Rpc<'createFile'> =
  (context) =>
  async ({ fileId: id, name, parentId, content }, { metadata }) => {
    const { db } = context;
    const scope = scopeOf(metadata);
    const node = { ...newNode(scope, { id, name, parentId }), kind: 'file' as const, ...readContent(content, context) };
    const limits = parseStorageLimits(metadata.storageLimits);
    const file = await createNode(context, scope, 'file', node, async (session) => {
      const amount = { bytes: node.size_bytes, files: 1 };
      await checkRoom(db, scope.organizationId, amount, limits);
      await charge(db, session, scope.organizationId, amount, limits);
      if (node.parent_id !== null) await lockFolder(db, scope, node.parent_id, session, 'parent_id');
    });
    return { file: await showFile(context, scope, file) };
  };
