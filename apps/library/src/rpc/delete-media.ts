import { deleteMedia as remove } from '../editing/delete-media.ts';
import type { Rpc } from './rpc.ts';

export const deleteMedia: Rpc<'deleteMedia'> = (context) => async (request, call) => {
  await remove(context, request, call.metadata);
  return {};
};
