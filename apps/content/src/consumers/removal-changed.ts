import type { EventHandler } from '@fanfare/events';
import type { RemovalChanged } from '@fanfare/contracts/publisher/events';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { emitPostsChanged } from '../events.ts';
import { currentRisks } from '../posts/current-risks.ts';
import { findPostsById, replacePost } from '../posts/store/posts.ts';
import { applyRemoval } from '../unpublishing/apply-removal.ts';
import { changesOfRemovals } from '../unpublishing/unpublish.ts';

/** Updates the removal in a result of a post, even if the post was deleted since. */
export const removalChanged =
  (context: Context): EventHandler<RemovalChanged> =>
  async ({ data, revision, flowId }, session) => {
    const { db } = context;
    const [before] = await findPostsById(db, [data.postId], session);
    const post = before && applyRemoval(before, data, revision, now(data.organizationId));
    if (!post) return;
    const cause = { flowId, actor: 'system:publisher' };
    await replacePost(db, before, post, session, { cause });
    await emitPostsChanged(context, session, [
      { before, post, risks: await currentRisks(db, post), changes: changesOfRemovals(post), cause },
    ]);
  };
