import { createFolder as create } from '../documents/create-folder.ts';
import { showFolder } from '../documents/show.ts';
import { scopeOf } from '../scope.ts';
import type { Rpc } from './rpc.ts';

export const createFolder: Rpc<'createFolder'> =
  (context) =>
  async (request, { metadata }) => ({
    folder: await showFolder(context, scopeOf(metadata), await create(context, request, metadata)),
  });
