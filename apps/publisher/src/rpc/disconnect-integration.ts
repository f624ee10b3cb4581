import { now } from '@fanfare/runtime';
import { changeIntegration } from '../accounts/change-integration.ts';
import { withoutAccess } from '../accounts/revocations/without-access.ts';
import { cancelDeliveries } from '../engine/cancel-deliveries.ts';
import { toIntegration } from '../accounts/store/integrations.ts';
import { insertRevocationOf } from '../accounts/store/revocations.ts';
import { wakeDeliveries } from '../deliveries/store/wake-deliveries.ts';
import type { Rpc } from './rpc.ts';

export const disconnectIntegration: Rpc<'disconnectIntegration'> =
  (context) =>
  async (request, { metadata, log }) => {
    const disconnected = await changeIntegration(context, metadata, request, async (current, session) => {
      if (current.status === 'INTEGRATION_STATUS_DISCONNECTED') return undefined;
      await insertRevocationOf(context.db, current, session);
      await wakeDeliveries(context.db, current._id, session);
      return { ...withoutAccess(current), status: 'INTEGRATION_STATUS_DISCONNECTED', disconnected_at: now(metadata.organizationId) };
    });
    // A repeat after a reconnect must not end anything. Not awaited: there may be thousands.
    if (disconnected.status === 'INTEGRATION_STATUS_DISCONNECTED') {
      cancelDeliveries(context, disconnected._id).catch((error: unknown) =>
        log.warn({ err: error, integration_id: disconnected._id }, 'deliveries could not be cancelled yet'),
      );
    }
    return { integration: toIntegration(disconnected, context.config) };
  };
