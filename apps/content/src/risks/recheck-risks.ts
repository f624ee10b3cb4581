import type { Worker } from '@fanfare/leased-work';
import type { Context } from '../context.ts';
import { startFanOut } from '../fan-out/start-fan-out.ts';
import type { FanOutRow } from '../fan-out/store/fan-out-rows.ts';
import { isWaiting } from '../targets/is-waiting.ts';
import { findPostsById, findWaitingPosts } from '../posts/store/posts.ts';
import { saveUnedited } from './save-unedited.ts';
import { riskCheckRows } from '../fan-out/store/risk-checks.ts';

/** Reports waiting posts that are at risk because of an account, its settings, or the link tracking of the business. */
export function startRecheckingRisks(context: Context): Worker {
  return startFanOut(context, {
    name: 'risk-checks',
    rows: riskCheckRows,
    findPosts: ({ business_id: businessId }, afterId, limit) => findWaitingPosts(context.db, businessId, afterId, limit),
    updatePost: (row, postId) => recheck(context, row, postId),
  });
}

async function recheck(context: Context, { _id, revision }: FanOutRow, postId: string): Promise<void> {
  await context.transact(async (session) => {
    const [post] = await findPostsById(context.db, [postId], session);
    if (post && isWaiting(post) && !post.deleted_at) await saveUnedited(context, session, post, post, `risks-${_id}-${revision}`);
  });
}
