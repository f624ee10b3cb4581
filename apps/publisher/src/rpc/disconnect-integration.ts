import { disconnectIntegration as disconnect } from '../accounts/disconnect-integration.ts';
import { toIntegration } from '../accounts/store/integrations.ts';
import { cancelDeliveries } from '../engine/cancel-deliveries.ts';
import type { Rpc } from './rpc.ts';

export const disconnectIntegration: Rpc<'disconnectIntegration'> =
  (context) =>
  async (request, { metadata, log }) => {
    const disconnected = await disconnect(context, request, metadata);
    // A repeat after a reconnect must not end anything. Not awaited: there may be thousands.
    if (disconnected.status === 'INTEGRATION_STATUS_DISCONNECTED') {
      cancelDeliveries(context, disconnected._id).catch((error: unknown) =>
        log.warn({ err: error, integration_id: disconnected._id }, 'deliveries could not be cancelled yet'),
      );
    }
    return { integration: toIntegration(disconnected, context.config) };
  };
