import { notFound } from '@fanfare/errors';
import { showQueue } from '../queues/show-queue.ts';
import { findQueue } from '../queues/store/queues.ts';
import type { Rpc } from './rpc.ts';

export const getQueue: Rpc<'getQueue'> =
  ({ db }) =>
  async ({ queueId }, { metadata }) => {
    const document = await findQueue(db, metadata, queueId);
    if (!document) throw notFound('queue');
    return { queue: await showQueue(db, document) };
  };
