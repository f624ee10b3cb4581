import { now } from '@fanfare/runtime';
import { repeat } from '../deliveries/store/deliveries.ts';
import { toDelivery } from '../deliveries/to-delivery.ts';
import { getEndpoint, markWanted } from '../endpoints/store/endpoints.ts';
import { disabled } from '../sending/disabled.ts';
import type { Rpc } from './rpc.ts';

export const redeliverDelivery: Rpc<'redeliverDelivery'> =
  ({ db, transact }) =>
  async ({ endpointId, deliveryId }, { metadata }) => {
    const delivery = await transact(async (session) => {
      const { enabled } = await getEndpoint(db, metadata.organizationId, endpointId, session);
      const repeated = await repeat(db, endpointId, deliveryId, now(metadata.organizationId), session);
      // A test may be repeated: it is sent to a disabled endpoint, too.
      if (!enabled && repeated.event_type !== 'webhook.test') throw disabled();
      await markWanted(db, endpointId, session);
      return repeated;
    });
    return { delivery: toDelivery(delivery) };
  };
