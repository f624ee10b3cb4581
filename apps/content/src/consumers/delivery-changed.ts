import type { EventHandler } from '@fanfare/events';
import type { DeliveryChanged } from '@fanfare/contracts/publisher/events';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { applyDelivery, whatChanged } from '../domain/apply-delivery.ts';
import { emitPostChanged } from '../events.ts';
import { findPostById, replacePost } from '../store/posts.ts';

/** Updates the post's result, and with it perhaps its status. */
export const deliveryChanged =
  (context: Context): EventHandler<DeliveryChanged> =>
  async ({ data, revision, flowId }, session) => {
    const { db, log } = context;
    const post = await findPostById(db, data.postId, session);
    if (!post) return log.warn({ post_id: data.postId, delivery_id: data.deliveryId }, 'a delivery of a post that is not here');
    const changed = applyDelivery(post, data, revision, now(data.organizationId));
    if (!changed) return;
    await replacePost(db, post, changed, session);
    const cause = { flowId, actor: 'system:publisher', publicationId: data.publicationId };
    await emitPostChanged(context, session, changed, whatChanged(post, changed), cause);
  };
