import { notFound } from '@fanfare/errors';
import { showPost } from '../posts/show-post.ts';
import { findShownPost } from '../posts/store/posts.ts';
import type { Rpc } from './rpc.ts';

export const getPost: Rpc<'getPost'> =
  ({ db }) =>
  async ({ postId }, { metadata }) => {
    const document = await findShownPost(db, metadata, postId);
    if (!document) throw notFound('post');
    return { post: await showPost(db, document) };
  };
