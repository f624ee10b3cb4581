import { listDeliveries as list } from '../deliveries/store/deliveries.ts';
import { toDelivery, toStatuses } from '../deliveries/to-delivery.ts';
import { getEndpoint } from '../endpoints/store/endpoints.ts';
import type { Rpc } from './rpc.ts';

export const listDeliveries: Rpc<'listDeliveries'> =
  ({ db }) =>
  async ({ endpointId, status, types, since, until, pageSize, pageToken }, { metadata }) => {
    await getEndpoint(db, metadata.organizationId, endpointId);
    const page = await list(db, endpointId, { statuses: toStatuses(status), types, since, until }, pageSize, pageToken);
    return { deliveries: page.rows.map(toDelivery), nextPageToken: page.nextPageToken };
  };
