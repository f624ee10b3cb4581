import { changePost } from '../editing/change-post.ts';
import { checkReview, reviewPost as review } from '../editing/rules/review-post.ts';
import type { Rpc } from './rpc.ts';

export const reviewPost: Rpc<'reviewPost'> =
  (context) =>
  async (request, { metadata }) => {
    checkReview(request);
    return { post: await changePost(context, metadata, request, review(request)) };
  };
