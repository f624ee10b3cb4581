import { emptyQueue } from '../editing/empty-queue.ts';
import { deleteQueue as remove } from '../queues/editing/delete-queue.ts';
import type { Rpc } from './rpc.ts';

export const deleteQueue: Rpc<'deleteQueue'> =
  (context) =>
  async (request, { metadata }) => {
    const deleted = await remove(context, request, metadata);
    if (deleted.emptying) await emptyQueue(context, deleted);
    return {};
  };
