import { findDuePosts, findNextDueAt } from '../store/posts.ts';
import type { Rpc } from './rpc.ts';

export const getDueBacklog: Rpc<'getDueBacklog'> =
  ({ db }) =>
  async () => {
    const [due] = await findDuePosts(db, [], 1);
    return { oldestDueAt: due && (await findNextDueAt(db)) };
  };
