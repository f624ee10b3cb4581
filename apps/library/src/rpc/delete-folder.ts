import { deleteFolder as remove } from '../documents/delete-folder.ts';
import type { Rpc } from './rpc.ts';

export const deleteFolder: Rpc<'deleteFolder'> =
  (context) =>
  async (request, { metadata }) => {
    await remove(context, request, metadata);
    return {};
  };
