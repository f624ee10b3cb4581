import { DomainError, notFound } from '@fanfare/errors';
import { pausesOf } from '../pauses/domain/paused.ts';
import { findDelivery, listDeliveriesOfPost, toInspectedDelivery } from '../deliveries/store/inspected-deliveries.ts';
import { listPauses } from '../pauses/store/pauses.ts';
import type { Rpc } from './rpc.ts';

export const inspectDeliveries: Rpc<'inspectDeliveries'> =
  ({ db }) =>
  async ({ deliveryId, postId }) => {
    if ((deliveryId === undefined) === (postId === undefined)) {
      throw new DomainError('invalid_request', 'Set either the id of a delivery or the id of a post.');
    }
    const found = deliveryId === undefined ? await listDeliveriesOfPost(db, postId ?? '') : [await findDelivery(db, deliveryId)];
    const deliveries = found.filter((each) => each !== null);
    if (deliveries.length === 0) throw notFound(deliveryId === undefined ? 'delivery of this post' : 'delivery');
    const pauses = await listPauses(db);
    return { deliveries: deliveries.map((each) => toInspectedDelivery(each, pausesOf(pauses, each))) };
  };
