import { PLATFORMS, type Platform } from '@fanfare/connectors';
import type { PublicationRequested, RequestedDelivery } from '@fanfare/contracts/content/events';
import type { EventsHandler } from '@fanfare/events';
import type { Context } from '../context.ts';
import { contentForPlatform } from '../content/domain/content-for-platform.ts';
import { emitDeliveriesChanged } from '../events.ts';
import { insertDeliveries, type DeliveryDocument } from '../deliveries/store/deliveries.ts';

type NewDelivery = Omit<DeliveryDocument, 'run_at'>;

/** Writes a row for each delivery; the dispatcher works from the rows. A delivery to an unknown platform fails at once. */
export const publicationRequested =
  ({ db }: Context): EventsHandler<PublicationRequested> =>
  async (events, session) => {
    // The time of the request: an account may have been disconnected between the request and this event.
    const deliveries = events.flatMap(({ data, flowId, time }) =>
      data.deliveries.map((delivery) => ({ at: time, row: newDelivery(data, delivery, flowId, time) })),
    );
    await insertDeliveries(
      db,
      deliveries.map(({ row }) => row),
      session,
    );
    // Emitted again when the publication is requested again: the revision is the same, so that consumers ignore it.
    const ended = deliveries.filter(({ row }) => !row.open).map(({ row, at }) => ({ ...row, run_at: at }));
    await emitDeliveriesChanged(db, session, ended);
  };

function newDelivery(
  publication: PublicationRequested,
  { deliveryId, integrationId, platform: name }: RequestedDelivery,
  flowId: string,
  at: Date,
): NewDelivery {
  if (!publication.snapshot) throw new TypeError(`The publication ${publication.publicationId} could not be read.`);
  // An unknown platform (content may run a newer version) gets a row that is closed from the start, because there is no connector for it.
  const platform = name as Platform;
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
    content: contentForPlatform(platform, integrationId, publication.snapshot),
    state: {},
    fence: 0,
    attempts: 0,
    failures: 0,
    warnings: [],
    ...(isKnown(name) ? PENDING : UNKNOWN_PLATFORM),
  };
}

const PENDING = { revision: 0, status: 'DELIVERY_STATUS_PENDING', open: true } as const;
const UNKNOWN_PLATFORM = {
  revision: 1,
  status: 'DELIVERY_STATUS_FAILED',
  open: false,
  error_type: 'validation_failed',
  error_message: 'This platform is not supported.',
} as const;

const isKnown = (name: string): boolean => (PLATFORMS as readonly string[]).includes(name);
