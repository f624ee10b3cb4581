import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import type { EndpointDocument } from '../endpoints/endpoint.ts';
import { selects } from '../endpoints/selects.ts';
import type { EventDocument } from '../feed/event.ts';
import { newDelivery } from './new-delivery.ts';
import { insertDeliveries } from './store/deliveries.ts';

/**
 * Adds the deliveries of new events to those of the endpoints that select them, in the transaction that stores the events. The endpoints are marked as due after it:
 * processes that send write to these rows all the time, and a transaction that does so too would conflict with them.
 */
export async function queueDeliveries(
  { db, markQueued }: Pick<Context, 'db' | 'markQueued'>,
  endpoints: readonly EndpointDocument[],
  events: readonly EventDocument[],
  session: ClientSession,
): Promise<void> {
  const deliveries = events.flatMap((event) =>
    endpoints
      .filter((endpoint) => endpoint.organization_id === event.organization_id && selects(endpoint, event))
      .map((endpoint) => newDelivery(event, endpoint, event.stored_at)),
  );
  if (deliveries.length === 0) return;
  await insertDeliveries(db, deliveries, session);
  const ids = new Set(deliveries.map(({ endpoint_id }) => endpoint_id));
  // If the transaction was aborted, or this attempt at it, marking them is in vain, but does no harm.
  session.once('ended', () => markQueued([...ids]));
}
