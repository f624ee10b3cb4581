import { createEndpoint as create } from '../endpoints/create-endpoint.ts';
import { toEndpoint } from '../endpoints/to-endpoint.ts';
import type { Rpc } from './rpc.ts';

export const createEndpoint: Rpc<'createEndpoint'> =
  (context) =>
  async (request, { metadata }) => {
    const { endpoint, secret } = await create(context, metadata.organizationId, request);
    return { endpoint: toEndpoint(endpoint), secret };
  };
