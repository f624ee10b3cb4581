import { testEndpoint as test } from '../sending/test-endpoint.ts';
import { toDelivery } from '../deliveries/to-delivery.ts';
import type { Rpc } from './rpc.ts';

export const testEndpoint: Rpc<'testEndpoint'> =
  (context) =>
  async ({ endpointId, operationId }, { metadata }) => ({ delivery: toDelivery(await test(context, endpointId, operationId, metadata)) });
