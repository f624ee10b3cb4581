import { DomainError } from '@fanfare/errors';
import { deleteDeliveries } from '../deliveries/store/deliveries.ts';
import { deleteEndpoint as remove, getEndpoint } from '../endpoints/store/endpoints.ts';
import type { Rpc } from './rpc.ts';

/** Deliveries that remain after a crash are never seen, and deleted after 30 days. */
export const deleteEndpoint: Rpc<'deleteEndpoint'> =
  ({ db }) =>
  async ({ endpointId, expectedRevisions }, { metadata: { organizationId } }) => {
    if (!(await remove(db, organizationId, endpointId, expectedRevisions))) {
      await getEndpoint(db, organizationId, endpointId);
      throw new DomainError(
        'precondition_failed',
        'The webhook has changed since you read it. Read it again and retry with its current ETag.',
      );
    }
    await deleteDeliveries(db, endpointId);
    return {};
  };
