import type { Post, QueuePostRequest } from '@fanfare/contracts/content';
import { CreateQueueRequest, DeleteQueueRequest, UpdateQueueRequest, type Queue } from '@fanfare/contracts/content/queues';
import { newId } from '@fanfare/runtime';
import type { QueueDocument } from '../../src/queues/queue.ts';
import type { Call, TestContent } from '../running-content.ts';

type Given<T extends { fromPartial(value: never): unknown }> = Parameters<T['fromPartial']>[0];

export const DAILY = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], time: '09:00' }];

/** The n-th 9:00 UTC from now. */
export function nineOClock(nth = 1): Date {
  const at = new Date();
  at.setUTCHours(9, 0, 0, 0);
  return new Date(at.getTime() + (nth - (at.getTime() > Date.now() ? 1 : 0)) * 86_400_000);
}

/** Queues of a business, with the call of the current test. */
export function queueing(on: { readonly content: TestContent; readonly call: Call }) {
  const need = <T>(one: T | undefined): T => one ?? (Promise.reject(new Error('No resource.')) as never);
  return {
    async aQueue(more: Given<typeof CreateQueueRequest> = {}, call = on.call): Promise<Queue> {
      const request = CreateQueueRequest.fromPartial({ operationId: newId(), queueId: newId(), name: 'Daily', slots: DAILY, ...more });
      return need((await on.content.client.createQueue(request, call)).queue);
    },
    getQueue: async ({ id }: Queue) => need((await on.content.client.getQueue({ queueId: id }, on.call)).queue),
    async updateQueue({ id }: Queue, more: Given<typeof UpdateQueueRequest>): Promise<Queue> {
      const request = UpdateQueueRequest.fromPartial({
        operationId: newId(),
        queueId: id,
        updateMask: Object.keys(more).map(snake),
        ...more,
      });
      return need((await on.content.client.updateQueue(request, on.call)).queue);
    },
    deleteQueue: ({ id }: Queue, more: Given<typeof DeleteQueueRequest> = {}) =>
      on.content.client.deleteQueue(DeleteQueueRequest.fromPartial({ operationId: newId(), queueId: id, ...more }), on.call),
    async put(post: Pick<Post, 'id'>, more: Partial<QueuePostRequest> = {}): Promise<Post> {
      const request = { operationId: newId(), postId: post.id, expectedRevisions: [], queueId: undefined, position: undefined, ...more };
      return need((await on.content.client.queuePost(request, on.call)).post);
    },
    /** The posts of a queue in order, read page by page. */
    async postsOf({ id }: Queue, pageSize = 100): Promise<Post[]> {
      const all: Post[] = [];
      for (let pageToken = ''; ;) {
        const page = await on.content.client.listQueuePosts({ queueId: id, pageSize, pageToken }, on.call);
        all.push(...page.posts);
        if (page.nextPageToken === '') return all;
        pageToken = page.nextPageToken;
      }
    },
    /** Makes the next slot of a queue one that has come. */
    async comes({ id }: Pick<Queue, 'id'>, at = new Date(Date.now() - 1_000)): Promise<Date> {
      await on.content.db.collection<QueueDocument>('queues').updateOne({ _id: id }, { $set: { next_slot_at: at } });
      return at;
    },
    stored: ({ id }: Pick<Queue, 'id'>) => on.content.db.collection<QueueDocument>('queues').findOne({ _id: id }),
  };
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
