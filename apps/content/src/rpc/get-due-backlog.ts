import { findDuePosts } from '../posts/store/posts.ts';
import { findDueQueues } from '../queues/store/queues.ts';
import type { Rpc } from './rpc.ts';

export const getDueBacklog: Rpc<'getDueBacklog'> =
  ({ db }) =>
  async () => {
    const [[post], [queue]] = await Promise.all([findDuePosts(db, {}, 1), findDueQueues(db, {}, 1)]);
    const due = [post?.next_due_at, queue?.next_slot_at].filter((at) => at !== undefined);
    return { oldestDueAt: due.toSorted((a, b) => a.getTime() - b.getTime())[0] };
  };
