import type { EventsHandler } from '@fanfare/events';
import type { ClientSession, Db } from 'mongodb';
import type { DeliveryChanged } from '@fanfare/contracts/publisher/events';
import { now } from '@fanfare/runtime';
import { listPublishingRules } from '../businesses/store/businesses.ts';
import type { Context } from '../context.ts';
import { emitPostsChanged, type ChangedPost } from '../events.ts';
import { currentRisks } from '../posts/current-risks.ts';
import type { PostDocument } from '../posts/post.ts';
import { findPostsById, replacePosts } from '../posts/store/posts.ts';
import { applyDelivery, whatChanged } from '../publishing/apply-delivery.ts';
import { tooLateResult, withTooLate } from '../misfires/too-late.ts';

/** Updates the results of posts, and their status if it follows from the results. Each delivery of a post makes a revision of its own. */
export const deliveryChanged =
  (context: Context): EventsHandler<DeliveryChanged> =>
  async (events, session) => {
    const { db, log } = context;
    const ids = [...new Set(events.map(({ data }) => data.postId))];
    const stored = new Map((await findPostsById(db, ids, session)).map((post) => [post._id, post]));
    const current = new Map(stored);
    const changes: ChangedPost[] = [];
    for (const { data, revision, flowId } of events) {
      const post = current.get(data.postId);
      if (!post)
        log.warn({ post_id: data.postId, delivery_id: data.deliveryId }, 'ignored an update of a delivery: its post does not exist');
      const applied = post && applyDelivery(post, data, revision, now(data.organizationId));
      if (!applied) continue;
      const after = await heldIfTooLate(db, post, applied, session);
      current.set(after._id, after);
      const cause = { flowId, actor: 'system:publisher', publicationId: data.publicationId };
      changes.push({ before: post, post: after, risks: await currentRisks(db, after), changes: whatChanged(post, after), cause });
    }
    const changed = [...stored].flatMap(([id, before]) => {
      const after = current.get(id) as PostDocument;
      return after === before ? [] : [{ before, after, cause: { actor: 'system:publisher' } }];
    });
    await replacePosts(db, changed, session);
    await emitPostsChanged(context, session, changes);
  };

/** The policy of a post that names none is that of its business now. */
async function heldIfTooLate(db: Db, before: PostDocument, after: PostDocument, session: ClientSession): Promise<PostDocument> {
  const late = tooLateResult(before, after);
  if (!late) return after;
  const rulesOf = await listPublishingRules(db, [after.business_id], session);
  const policy = after.misfire_policy ?? rulesOf(after.business_id).misfire_policy;
  return withTooLate(after, policy, late.errorMessage ?? '', after.updated_at);
}
