import { createQueue as create } from '../queues/editing/create-queue.ts';
import { showQueue } from '../queues/show-queue.ts';
import type { Rpc } from './rpc.ts';

export const createQueue: Rpc<'createQueue'> =
  (context) =>
  async (request, { metadata }) => ({
    queue: await showQueue(context.db, await create(context, request, metadata)),
  });
