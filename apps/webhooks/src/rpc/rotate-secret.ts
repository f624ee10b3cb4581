import { rotateSecret as rotate } from '../endpoints/rotate-secret.ts';
import { toEndpoint } from '../endpoints/to-endpoint.ts';
import type { Rpc } from './rpc.ts';

export const rotateSecret: Rpc<'rotateSecret'> =
  (context) =>
  async ({ endpointId, operationId }, { metadata }) => {
    const { endpoint, secret } = await rotate(context, metadata.organizationId, endpointId, operationId);
    return { endpoint: toEndpoint(endpoint), secret };
  };
