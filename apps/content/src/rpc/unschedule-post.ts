import { unschedulePost as unschedule } from '../editing/schedule-post.ts';
import { changePost } from '../editing/change-post.ts';
import type { Rpc } from './rpc.ts';

export const unschedulePost: Rpc<'unschedulePost'> =
  (context) =>
  (request, { metadata }) =>
    changePost(context, metadata, request, unschedule);
