import { findDefaultQueueId } from '../queues/store/default-queues.ts';
import { listQueues as list, toQueue } from '../queues/store/queues.ts';
import type { Rpc } from './rpc.ts';

export const listQueues: Rpc<'listQueues'> =
  ({ db }) =>
  async ({ pageSize, pageToken }, { metadata }) => {
    const { rows, nextPageToken } = await list(db, metadata, pageSize, pageToken);
    const defaultId = await findDefaultQueueId(db, metadata);
    return { queues: rows.map((queue) => toQueue(queue, queue._id === defaultId)), nextPageToken };
  };
