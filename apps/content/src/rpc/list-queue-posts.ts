import { notFound } from '@fanfare/errors';
import { pageOfQueue } from '../posts/store/page-of-queue.ts';
import { findQueue } from '../queues/store/queues.ts';
import type { Rpc } from './rpc.ts';

export const listQueuePosts: Rpc<'listQueuePosts'> =
  ({ db, mongo }) =>
  async ({ queueId, pageSize, pageToken }, { metadata }) => {
    const queue = await findQueue(db, metadata, queueId);
    if (!queue) throw notFound('queue');
    return pageOfQueue(mongo, queue, pageSize, pageToken);
  };
