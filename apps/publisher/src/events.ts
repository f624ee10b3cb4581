import { topics } from '@fanfare/contracts';
import type { DeliveryChanged } from '@fanfare/contracts/publisher/events';
import { appendAllToOutbox, appendToOutbox, type Emission } from '@fanfare/events';
import type { Db, ClientSession } from 'mongodb';
import type { Context } from './context.ts';
import type { DeliveryDocument } from './deliveries/store/deliveries.ts';
import { toIntegration, type IntegrationDocument } from './accounts/store/integrations.ts';

const SOURCE = 'publisher';

/** Deliveries changed; each event carries the whole state. */
export async function emitDeliveriesChanged(db: Db, session: ClientSession, deliveries: readonly DeliveryDocument[]): Promise<void> {
  if (deliveries.length > 0) await appendAllToOutbox(db, session, SOURCE, topics.deliveryChanged, deliveries.map(toEvent));
}

/** An account was connected, refreshed, expired or disconnected; carries its whole state, without tokens. */
export async function emitIntegrationChanged(
  { config, db }: Pick<Context, 'config' | 'db'>,
  session: ClientSession,
  integration: IntegrationDocument,
  flowId: string,
): Promise<void> {
  const emission = {
    subject: integration._id,
    revision: integration.revision,
    organizationId: integration.organization_id,
    businessId: integration.business_id,
    flowId,
  };
  await appendToOutbox(db, session, SOURCE, topics.integrationChanged, emission, { integration: toIntegration(integration, config) });
}

function toEvent(delivery: DeliveryDocument): { emission: Emission; data: DeliveryChanged } {
  return {
    emission: {
      subject: delivery._id,
      revision: delivery.revision,
      organizationId: delivery.organization_id,
      businessId: delivery.business_id,
      flowId: delivery.flow_id,
    },
    data: {
      deliveryId: delivery._id,
      publicationId: delivery.publication_id,
      postId: delivery.post_id,
      organizationId: delivery.organization_id,
      businessId: delivery.business_id,
      integrationId: delivery.integration_id,
      platform: delivery.platform,
      status: delivery.status,
      publishId: delivery.publish_id,
      postUrl: delivery.post_url,
      errorType: delivery.error_type,
      errorMessage: delivery.error_message,
      attempts: delivery.attempts,
      publishedAt: delivery.status === 'DELIVERY_STATUS_SUCCESS' ? delivery.published_at : undefined,
      warnings: delivery.warnings,
      waiting: delivery.waiting && { until: undefined, ...delivery.waiting },
    },
  };
}
