import { deletePost as remove } from '../domain/delete-post.ts';
import { changePost } from './change-post.ts';
import type { Rpc } from './rpc.ts';

export const deletePost: Rpc<'deletePost'> =
  (context) =>
  async (request, { metadata }) => {
    await changePost(context, metadata, request, remove);
    return {};
  };
