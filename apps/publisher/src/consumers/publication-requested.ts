import { PLATFORMS, type Platform } from '@fanfare/connectors';
import type { PublicationRequested, RequestedDelivery } from '@fanfare/contracts/content/events';
import type { EventsHandler } from '@fanfare/events';
import type { Context } from '../context.ts';
import { contentForPlatform } from '../content/domain/content-for-platform.ts';
import { emitDeliveriesChanged } from '../events.ts';
import { insertDeliveries, type DeliveryDocument } from '../deliveries/store/deliveries.ts';

type NewDelivery = Omit<DeliveryDocument, 'run_at'>;

/** Writes a row for each delivery; the dispatcher works from the rows. What can go nowhere has failed already, and says so. */
export const publicationRequested =
  ({ db }: Context): EventsHandler<PublicationRequested> =>
  async (events, session) => {
    // When it was asked for, which may be before an account was disconnected, also when we hear of it after.
    const deliveries = events.flatMap(({ data, flowId, time }) =>
      data.deliveries.map((delivery) => ({ at: time, row: newDelivery(data, delivery, flowId, time) })),
    );
    await insertDeliveries(
      db,
      deliveries.map(({ row }) => row),
      session,
    );
    // Said again when the publication is requested again: the revision is the same, so that nobody takes it in twice.
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
  // A name that is not known here (content may be newer than we are) stands in a row that is closed from the start: no connector is asked for it.
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
