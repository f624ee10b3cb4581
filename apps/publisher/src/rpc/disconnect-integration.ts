import { changeIntegration } from '../accounts/change-integration.ts';
import { cancelDeliveries } from '../engine/cancel-deliveries.ts';
import { toIntegration, type IntegrationDocument } from '../store/integrations.ts';
import { insertRevocationOf } from '../store/revocations.ts';
import { wakeDeliveries } from '../store/wake-deliveries.ts';
import type { Rpc } from './rpc.ts';

export const disconnectIntegration: Rpc<'disconnectIntegration'> =
  (context) =>
  async (request, { metadata, log }) => {
    const gone = await changeIntegration(context, metadata, request, async (current, session) => {
      if (current.status === 'INTEGRATION_STATUS_DISCONNECTED') return undefined;
      await insertRevocationOf(context.db, current, session);
      await wakeDeliveries(context.db, current._id, session);
      return withoutTokens(current);
    });
    // Nobody waits for it: there may be thousands.
    cancelDeliveries(context, gone._id).catch((error: unknown) =>
      log.warn({ err: error, integration_id: gone._id }, 'deliveries are not cancelled yet'),
    );
    return { integration: toIntegration(gone) };
  };

/** Who it is and how it was set up stays, for when it is connected again. A refresh that is under way loses its lock, and with it what it gets. */
function withoutTokens(current: IntegrationDocument): IntegrationDocument {
  const {
    reconnect_by: ______,
    refreshing_until: _,
    token_expires_at: __,
    token_check_at: ___,
    refresh_failures: ____,
    last_error: _____,
    ...kept
  } = current;
  return { ...kept, tokens: '', status: 'INTEGRATION_STATUS_DISCONNECTED', disconnected_at: new Date() };
}
