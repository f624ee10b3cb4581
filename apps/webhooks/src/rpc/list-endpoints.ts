import { listEndpoints as list } from '../endpoints/store/endpoints.ts';
import { toEndpoint } from '../endpoints/to-endpoint.ts';
import type { Rpc } from './rpc.ts';

export const listEndpoints: Rpc<'listEndpoints'> =
  ({ db }) =>
  async (_request, { metadata }) => ({ endpoints: (await list(db, [metadata.organizationId])).map(toEndpoint) });
