import { getEndpoint as get } from '../endpoints/store/endpoints.ts';
import { toEndpoint } from '../endpoints/to-endpoint.ts';
import type { Rpc } from './rpc.ts';

export const getEndpoint: Rpc<'getEndpoint'> =
  ({ db }) =>
  async ({ endpointId }, { metadata }) => ({ endpoint: toEndpoint(await get(db, metadata.organizationId, endpointId)) });
