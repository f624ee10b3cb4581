import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { DeliveryDocument } from '../deliveries/delivery.ts';
import { repeat } from '../deliveries/store/deliveries.ts';
import { disabled } from '../endpoints/disabled.ts';
import { getEndpoint, markWanted } from '../endpoints/store/endpoints.ts';

/** Has a delivery sent again. @throws DomainError resource_not_found, conflict if the endpoint is disabled */
export const redeliver = (
  { db, transact }: Pick<Context, 'db' | 'transact'>,
  organizationId: string,
  endpointId: string,
  deliveryId: string,
): Promise<DeliveryDocument> =>
  transact(async (session) => {
    const { enabled } = await getEndpoint(db, organizationId, endpointId, session);
    const repeated = await repeat(db, endpointId, deliveryId, now(organizationId), session);
    // A test may be repeated: it is sent to a disabled endpoint, too.
    if (!enabled && repeated.event_type !== 'webhook.test') throw disabled();
    await markWanted(db, endpointId, session);
    return repeated;
  });
