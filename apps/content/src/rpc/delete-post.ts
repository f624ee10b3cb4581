import { changePost } from '../editing/change-post.ts';
import { deletePost as remove } from '../editing/rules/delete-post.ts';
import type { Rpc } from './rpc.ts';

export const deletePost: Rpc<'deletePost'> =
  (context) =>
  async (request, { metadata }) => {
    return { post: await changePost(context, metadata, request, remove) };
  };
