import type { EventsHandler } from '@fanfare/events';
import type { ClientSession, Db } from 'mongodb';
import type { DeliveryChanged } from '@fanfare/contracts/publisher/events';
import { now } from '@fanfare/runtime';
import { listPublishingRules } from '../businesses/store/businesses.ts';
import type { Context } from '../context.ts';
import { emitPostsChanged, withRisk, type ChangedPost } from '../events.ts';
import { currentRisks } from '../posts/current-risks.ts';
import type { PostDocument } from '../posts/post.ts';
import { findPostsById, replacePosts } from '../posts/store/posts.ts';
import { applyDelivery, whatChanged } from '../publishing/apply-delivery.ts';
import { notedRisks } from '../risks/noted-risks.ts';
import { findQueue } from '../queues/store/queues.ts';
import { followQueue } from '../queues/follow-queue.ts';
import { isPublishing } from '../posts/is-publishing.ts';
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
      const { post: after, isNew = false } = await afterEnd(db, post, applied, session);
      current.set(after._id, after);
      const cause = { flowId, actor: 'system:publisher', publicationId: data.publicationId };
      const what = withRisk(whatChanged(post, after), isNew);
      changes.push({ before: post, post: after, risks: await currentRisks(db, after), changes: what, cause });
    }
    const changed = [...stored].flatMap(([id, before]) => {
      const after = current.get(id) as PostDocument;
      return after === before ? [] : [{ before, after, cause: { actor: 'system:publisher' } }];
    });
    await replacePosts(db, changed, session);
    for (const { before, after } of changed) if (before.queue_id !== after.queue_id) await followQueue(db, session, before, after, FIRST);
    await emitPostsChanged(context, session, changes);
  };

/** A post whose slot was missed after all keeps its place, before all that were behind it. */
const FIRST = { position: 1 };

/**
 * A post whose publication has just ended, and that could not begin anywhere in time: if a slot of a queue published it, it returns to the queue, as if no
 * process had been running at the time of the slot. Others are held or skipped.
 */
async function afterEnd(
  db: Db,
  before: PostDocument,
  applied: PostDocument,
  session: ClientSession,
): Promise<{ readonly post: PostDocument; readonly isNew?: boolean }> {
  if (isPublishing(applied)) return { post: applied };
  const { slot_queue_id: queueId, ...post } = applied;
  const late = tooLateResult(before, applied);
  if (!late) return { post };
  const scope = { organizationId: post.organization_id, businessId: post.business_id };
  const isBack = queueId !== undefined && (await findQueue(db, scope, queueId, session)) !== null;
  if (isBack) return notedRisks(db, before, { ...post, status: 'POST_STATUS_SCHEDULED', queue_id: queueId }, FIRST);
  // The policy of a post that names none is that of its business now.
  const rulesOf = await listPublishingRules(db, [post.business_id], session);
  const policy = post.misfire_policy ?? rulesOf(post.business_id).misfire_policy;
  return { post: withTooLate(post, policy, late.errorMessage ?? '', post.updated_at) };
}
