import { PLATFORMS, type Platform } from '@fanfare/connectors';
import type { PublicationRequested, RequestedDelivery } from '@fanfare/contracts/content/events';
import type { EventHandler } from '@fanfare/events';
import type { Context } from '../context.ts';
import { contentFor } from '../domain/content-for.ts';
import { insertDeliveries, type DeliveryDocument } from '../store/deliveries.ts';

/** Writes a row for each delivery; the dispatcher works from the rows. */
export const publicationRequested =
  ({ db }: Context): EventHandler<PublicationRequested> =>
  async ({ data, flowId }, session) => {
    const at = new Date();
    await insertDeliveries(
      db,
      data.deliveries.map((delivery) => newDelivery(data, delivery, flowId, at)),
      session,
    );
  };

function newDelivery(
  publication: PublicationRequested,
  { deliveryId, integrationId, platform }: RequestedDelivery,
  flowId: string,
  at: Date,
): Omit<DeliveryDocument, 'run_at'> {
  if (!publication.snapshot || !isPlatform(platform)) throw new TypeError(`The publication ${publication.publicationId} cannot be read.`);
  return {
    _id: deliveryId,
    organization_id: publication.organizationId,
    business_id: publication.businessId,
    post_id: publication.postId,
    publication_id: publication.publicationId,
    integration_id: integrationId,
    platform,
    flow_id: flowId,
    created_at: at,
    updated_at: at,
    due_at: publication.dueAt ?? at,
    revision: 0,
    status: 'DELIVERY_STATUS_PENDING',
    open: true,
    content: contentFor(platform, publication.snapshot),
    state: {},
    fence: 0,
    attempts: 0,
    failures: 0,
    warnings: [],
  };
}

const isPlatform = (name: string): name is Platform => (PLATFORMS as readonly string[]).includes(name);
