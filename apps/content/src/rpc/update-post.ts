import { updatePost as update } from '../editing/update-post.ts';
import type { Rpc } from './rpc.ts';

export const updatePost: Rpc<'updatePost'> = (context) => async (request, call) => ({
  post: await update(context, request, call),
});
