import type { Context } from '../context.ts';
import { findDuePosts, findNextDueAt, type DuePost } from '../posts/store/posts.ts';
import { claimDuePosts } from './claim-due-posts.ts';
import { startClaimLoop } from './claim-loop.ts';
import { parkClosed } from '../erasure/park-closed.ts';

/** Claims due posts. */
export const startDueLoop = (context: Context) =>
  startClaimLoop<DuePost>(context, {
    name: 'due-posts',
    what: 'due posts',
    idsOf: ({ _id }) => ({ post_id: _id }),
    findDue: ({ organizations, ids }, limit) => findDuePosts(context.db, { organizations, posts: ids }, limit),
    findNextDueAt: (exceptPosts) => findNextDueAt(context.db, exceptPosts),
    claim: async (posts) => {
      const open = await parkClosed(context, posts);
      if (open.length > 0) await claimDuePosts(context, open);
    },
  });
