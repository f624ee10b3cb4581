import { toEndpoint } from '../endpoints/to-endpoint.ts';
import { updateEndpoint as update } from '../endpoints/update-endpoint.ts';
import type { Rpc } from './rpc.ts';

export const updateEndpoint: Rpc<'updateEndpoint'> =
  (context) =>
  async (request, { metadata }) => ({ endpoint: toEndpoint(await update(context, metadata.organizationId, request)) });
