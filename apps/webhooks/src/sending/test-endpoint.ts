import { derivedId, now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { DeliveryDocument } from '../deliveries/delivery.ts';
import { deliveryIdOf } from '../deliveries/new-delivery.ts';
import { findDelivery, getDelivery } from '../deliveries/store/deliveries.ts';
import { getEndpoint, markWanted } from '../endpoints/store/endpoints.ts';
import { appendEvents } from '../feed/append-events.ts';
import { webhookEvent } from './webhook-event.ts';

/** Appends a `webhook.test` event, which goes to this endpoint only. @throws DomainError resource_not_found */
export async function testEndpoint(
  context: Context,
  endpointId: string,
  operationId: string,
  { organizationId, actor, requestId }: { organizationId: string; actor: string; requestId: string },
): Promise<DeliveryDocument> {
  const { db, transact } = context;
  const _id = derivedId(operationId, 'test');
  const deliveryId = deliveryIdOf(_id, endpointId);
  return transact(async (session) => {
    const endpoint = await getEndpoint(db, organizationId, endpointId, session);
    const before = await findDelivery(db, endpointId, deliveryId, session);
    if (before) return before;
    await appendEvents(context, session, [
      { ...webhookEvent('webhook.test', endpoint, { at: now(organizationId), actor, requestId }), _id },
    ]);
    await markWanted(db, endpointId, session);
    return getDelivery(db, endpointId, deliveryId, session);
  });
}
