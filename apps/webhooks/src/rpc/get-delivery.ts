import { getDelivery as get } from '../deliveries/store/deliveries.ts';
import { toDelivery } from '../deliveries/to-delivery.ts';
import { getEndpoint } from '../endpoints/store/endpoints.ts';
import type { Rpc } from './rpc.ts';

export const getDelivery: Rpc<'getDelivery'> =
  ({ db }) =>
  async ({ endpointId, deliveryId }, { metadata }) => {
    await getEndpoint(db, metadata.organizationId, endpointId);
    return { delivery: toDelivery(await get(db, endpointId, deliveryId)) };
  };
