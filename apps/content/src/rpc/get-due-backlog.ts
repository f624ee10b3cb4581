import { findDuePosts } from '../posts/store/posts.ts';
import type { Rpc } from './rpc.ts';

export const getDueBacklog: Rpc<'getDueBacklog'> =
  ({ db }) =>
  async () => {
    const [oldest] = await findDuePosts(db, {}, 1);
    return { oldestDueAt: oldest?.next_due_at };
  };
