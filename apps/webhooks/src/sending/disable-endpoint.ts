import { topics } from '@fanfare/contracts';
import { appendToOutbox } from '@fanfare/events';
import { raisedFence } from '@fanfare/leased-work';
import { stages } from '@fanfare/mongo';
import { newId, now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { DisabledReason, EndpointDocument } from '../endpoints/endpoint.ts';
import { endpointRows } from '../endpoints/store/endpoints.ts';
import { toEndpoint } from '../endpoints/to-endpoint.ts';
import { appendEvents } from '../feed/append-events.ts';
import { endpointsDisabled } from '../metrics.ts';
import { webhookEvent } from './webhook-event.ts';

/**
 * Disables an endpoint that accepts no webhooks, releases its lease, and notifies its owners: by a mail and by a `webhook.disabled` event. Its pending
 * deliveries end the next time that it is leased, which is now.
 * @throws LeaseLost
 */
export async function disableEndpoint(context: Context, row: EndpointDocument, reason: DisabledReason, lastError: string): Promise<void> {
  const at = now(row.organization_id);
  await context.transact(async (session) => {
    const changes = { enabled: false, disabled_reason: reason, held: false };
    const release = { fence: raisedFence, send_at: '$$NOW' };
    const pipeline = [{ $set: { ...stages(changes, { operationId: newId(), at }), ...release } }, { $unset: ['recovery', 'paused_until'] }];
    const disabled = await endpointRows.write(context.db, { row, pipeline }, session);
    const endpoint = toEndpoint(disabled);
    const of = {
      flowId: newId(),
      subject: disabled._id,
      revision: disabled.revision,
      organizationId: disabled.organization_id,
      businessId: '',
    };
    await appendToOutbox(context.db, session, 'webhooks', topics.endpointDisabled, of, { endpoint, lastError });
    await appendEvents(context, session, [webhookEvent('webhook.disabled', disabled, { at, actor: 'system:webhooks' })]);
  });
  endpointsDisabled.inc({ reason });
}
