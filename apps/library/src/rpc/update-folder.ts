import { updateFolder as update } from '../documents/update-folder.ts';
import { showFolder } from '../documents/show.ts';
import { scopeOf } from '../scope.ts';
import type { Rpc } from './rpc.ts';

export const updateFolder: Rpc<'updateFolder'> =
  (context) =>
  async (request, { metadata }) => ({
    folder: await showFolder(context, scopeOf(metadata), await update(context, request, metadata)),
  });
