import { updateQueue as update } from '../queues/editing/update-queue.ts';
import { showQueue } from '../queues/show-queue.ts';
import type { Rpc } from './rpc.ts';

export const updateQueue: Rpc<'updateQueue'> =
  (context) =>
  async (request, { metadata }) => ({
    queue: await showQueue(context.db, await update(context, request, metadata)),
  });
