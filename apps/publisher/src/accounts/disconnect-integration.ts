import type { DisconnectIntegrationRequest } from '@fanfare/contracts/publisher';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { wakeDeliveries } from '../deliveries/store/wake-deliveries.ts';
import { changeIntegration } from './change-integration.ts';
import { withoutAccess } from './revocations/without-access.ts';
import type { IntegrationDocument } from './store/integrations.ts';
import { insertRevocationOf } from './store/revocations.ts';

/**
 * Disconnects an account: its access is revoked, and its deliveries are due, so that they end.
 * @throws DomainError resource_not_found, precondition_failed
 */
export const disconnectIntegration = (
  context: Context,
  request: DisconnectIntegrationRequest,
  metadata: CallMetadata,
): Promise<IntegrationDocument> =>
  changeIntegration(context, metadata, request, async (current, session) => {
    if (current.status === 'INTEGRATION_STATUS_DISCONNECTED') return undefined;
    await insertRevocationOf(context.db, current, session);
    await wakeDeliveries(context.db, current._id, session);
    return { ...withoutAccess(current), status: 'INTEGRATION_STATUS_DISCONNECTED', disconnected_at: now(metadata.organizationId) };
  });
