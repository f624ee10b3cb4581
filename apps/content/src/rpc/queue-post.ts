import { changePost } from '../editing/change-post.ts';
import { checkQueuePost, queuePost as queue } from '../editing/rules/queue-post.ts';
import { findDefaultQueueId } from '../queues/store/default-queues.ts';
import type { Rpc } from './rpc.ts';

export const queuePost: Rpc<'queuePost'> =
  (context) =>
  async (request, { metadata }) => {
    checkQueuePost(request);
    const defaultId = request.queueId === undefined ? await findDefaultQueueId(context.db, metadata) : undefined;
    return { post: await changePost(context, metadata, request, queue(request, defaultId)) };
  };
