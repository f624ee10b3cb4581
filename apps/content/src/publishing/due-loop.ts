import type { Context } from '../context.ts';
import { findDueByClock, findNextDueByClock } from '../posts/store/clocked-posts.ts';
import { findDuePosts, findNextDueAt, type DuePost } from '../posts/store/posts.ts';
import { claimDuePosts } from './claim-due-posts.ts';
import { parkClosed } from '../erasure/park-closed.ts';
import { firstOf, startClaimLoop } from './claim-loop.ts';

/** Claims due posts. */
export const startDueLoop = (context: Context) =>
  startClaimLoop<DuePost>(context, {
    name: 'due-posts',
    what: 'due posts',
    idsOf: ({ _id }) => ({ post_id: _id }),
    async findDue({ organizations, ids }, limit) {
      const except = { organizations, posts: ids };
      return [...(await findDuePosts(context.db, except, limit)), ...(await findDueByClock(context.db, except))];
    },
    findNextDueAt: async (exceptPosts) =>
      firstOf(await findNextDueAt(context.db, exceptPosts), await findNextDueByClock(context.db, exceptPosts)),
    claim: async (posts) => {
      const open = await parkClosed(context, posts);
      if (open.length > 0) await claimDuePosts(context, open);
    },
  });
