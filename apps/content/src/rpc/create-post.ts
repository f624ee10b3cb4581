import { createPost as create } from '../editing/create-post.ts';
import type { Rpc } from './rpc.ts';

export const createPost: Rpc<'createPost'> = (context) => async (request, call) => ({
  post: await create(context, request, call),
});
