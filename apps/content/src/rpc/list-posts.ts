import { pageOfPosts } from '../posts/store/page-of-posts.ts';
import type { Rpc } from './rpc.ts';

export const listPosts: Rpc<'listPosts'> =
  ({ db }) =>
  (request, { metadata }) =>
    pageOfPosts(db, metadata, request);
