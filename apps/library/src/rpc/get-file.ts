import { showFile } from '../documents/show.ts';
import { scopeOf } from '../scope.ts';
import { getNode } from '../documents/store/nodes.ts';
import type { Rpc } from './rpc.ts';

export const getFile: Rpc<'getFile'> =
  (context) =>
  async ({ fileId }, { metadata }) => {
    const scope = scopeOf(metadata);
    return { file: await showFile(context, scope, await getNode(context.db, scope, 'file', fileId)) };
  };
