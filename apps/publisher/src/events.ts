import { topics } from '@fanfare/contracts';
import type { DeliveryChanged } from '@fanfare/contracts/publisher/events';
import { appendAllToOutbox, appendToOutbox, type Emission } from '@fanfare/events';
import type { Db, ClientSession } from 'mongodb';
import type { DeliveryDocument } from './deliveries/delivery.ts';
import type { RemovalDocument } from './removals/store/removals.ts';

const SOURCE = 'publisher';

/** Deliveries changed; each event carries the whole state. */
export async function emitDeliveriesChanged(db: Db, session: ClientSession, deliveries: readonly DeliveryDocument[]): Promise<void> {
  if (deliveries.length > 0) await appendAllToOutbox(db, session, SOURCE, topics.deliveryChanged, deliveries.map(toEvent));
}

/** A removal has ended, or waits; carries its whole state. */
export async function emitRemovalChanged(db: Db, session: ClientSession, removal: RemovalDocument): Promise<void> {
  const emission = {
    subject: removal._id,
    revision: removal.revision,
    organizationId: removal.organization_id,
    businessId: removal.business_id,
    flowId: removal.flow_id,
  };
  await appendToOutbox(db, session, SOURCE, topics.removalChanged, emission, {
    removalId: removal._id,
    deliveryId: removal.delivery_id,
    postId: removal.post_id,
    organizationId: removal.organization_id,
    businessId: removal.business_id,
    integrationId: removal.integration_id,
    platform: removal.platform,
    status: removal.status,
    errorType: removal.error_type,
    detail: removal.detail,
  });
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
