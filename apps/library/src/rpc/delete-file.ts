import { deleteFile as remove } from '../documents/delete-file.ts';
import type { Rpc } from './rpc.ts';

export const deleteFile: Rpc<'deleteFile'> =
  (context) =>
  async (request, { metadata }) => {
    await remove(context, request, metadata);
    return {};
  };
