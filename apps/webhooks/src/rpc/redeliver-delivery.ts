import { toDelivery } from '../deliveries/to-delivery.ts';
import { redeliver } from '../sending/redeliver.ts';
import type { Rpc } from './rpc.ts';

export const redeliverDelivery: Rpc<'redeliverDelivery'> =
  (context) =>
  async ({ endpointId, deliveryId }, { metadata }) => ({
    delivery: toDelivery(await redeliver(context, metadata.organizationId, endpointId, deliveryId)),
  });
