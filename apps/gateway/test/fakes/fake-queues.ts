import type { ContentServiceService } from '@fanfare/contracts/content';
import type { Queue } from '@fanfare/contracts/content/queues';
import { notFound } from '@fanfare/errors';
import type { Call, Handlers } from '@fanfare/rpc';
import { pageOf, tokenAfter } from '../pages.ts';
import { AT } from '../values.ts';
import type { Note } from '../note.ts';

type Fakes = Pick<
  Handlers<typeof ContentServiceService>,
  `${'create' | 'get' | 'update' | 'delete'}Queue` | 'listQueues' | 'listQueuePosts'
>;

/** Content's queues without its rules, which are tested with the real one. */
export function fakeQueues(note: Note): Fakes {
  const queues = new Map<string, Queue>();
  const found = (id: string, { metadata }: Call): Queue => {
    const queue = queues.get(id);
    if (queue?.businessId !== metadata.businessId) throw notFound('queue');
    return queue;
  };
  return {
    async createQueue(request, call) {
      note('createQueue', request, call);
      const { queueId: id, name, slots, timezone = 'UTC', paused, isDefault, restrictPublishTo } = request;
      const times = { createdAt: AT, updatedAt: AT, revision: 1, nextPublishTime: undefined };
      const fields = { name, slots, timezone, paused, isDefault, restrictPublishTo, postCount: 0 };
      const queue = { id, businessId: call.metadata.businessId, ...times, ...fields };
      queues.set(id, queue);
      return { queue };
    },
    async getQueue(request, call) {
      note('getQueue', request, call);
      return { queue: found(request.queueId, call) };
    },
    async listQueues(request, call) {
      note('listQueues', request, call);
      return {
        queues: pageOf(
          [...queues.values()].filter(({ businessId }) => businessId === call.metadata.businessId),
          request,
        ),
        nextPageToken: tokenAfter(request),
      };
    },
    async listQueuePosts(request, call) {
      note('listQueuePosts', request, call);
      found(request.queueId, call);
      return { posts: [], nextPageToken: tokenAfter(request) };
    },
    async updateQueue(request, call) {
      note('updateQueue', request, call);
      const queue = found(request.queueId, call);
      return { queue: { ...queue, paused: request.paused, revision: queue.revision + 1 } };
    },
    async deleteQueue(request, call) {
      note('deleteQueue', request, call);
      found(request.queueId, call);
      return {};
    },
  };
}
