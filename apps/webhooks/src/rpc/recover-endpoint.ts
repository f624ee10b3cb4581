import { beginRecovery } from '../sending/begin-recovery.ts';
import { toEndpoint } from '../endpoints/to-endpoint.ts';
import type { Rpc } from './rpc.ts';

export const recoverEndpoint: Rpc<'recoverEndpoint'> =
  (context) =>
  async ({ endpointId, since }, { metadata }) => ({
    endpoint: toEndpoint(await beginRecovery(context, metadata.organizationId, endpointId, since ?? new Date(0))),
  });
