import { changePost } from '../editing/change-post.ts';
import { unschedulePost as unschedule } from '../editing/rules/schedule-post.ts';
import type { Rpc } from './rpc.ts';

export const unschedulePost: Rpc<'unschedulePost'> =
  (context) =>
  async (request, { metadata }) => {
    return { post: await changePost(context, metadata, request, unschedule) };
  };
