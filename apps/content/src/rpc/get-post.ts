import { notFound } from '@fanfare/errors';
import { findPost, toPost } from '../store/posts.ts';
import type { Rpc } from './rpc.ts';

export const getPost: Rpc<'getPost'> =
  ({ db }) =>
  async ({ postId }, { metadata }) => {
    const document = await findPost(db, metadata, postId);
    if (!document) throw notFound('post');
    return { post: toPost(document) };
  };
