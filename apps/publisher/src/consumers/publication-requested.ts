import { PLATFORMS, type Platform } from '@fanfare/connectors';
import type { PublicationRequested, RequestedDelivery } from '@fanfare/contracts/content/events';
import type { EventsHandler } from '@fanfare/events';
import type { Context } from '../context.ts';
import { contentForPlatform } from '../content/domain/content-for-platform.ts';
import { emitDeliveriesChanged } from '../events.ts';
import { findRestoreFence } from '../restore/store/restore-fence.ts';
import { restoredBy } from '../restore/store/restored-deliveries.ts';
import type { NewDelivery } from '../deliveries/delivery.ts';
import { insertDeliveries } from '../deliveries/store/deliveries.ts';
import { withStrategy } from '../strategies/with-strategy.ts';
import { insertPublications } from '../strategies/store/publications.ts';

/** Writes a row for each delivery; the dispatcher works from the rows. A delivery to an unknown platform fails at once. */
export const publicationRequested =
  ({ db }: Context): EventsHandler<PublicationRequested> =>
  async (events, session) => {
    // The time of the request: an account may have been disconnected between the request and this event.
    const fence = await findRestoreFence(db, session);
    const requested = events.map(({ data, flowId, time }) =>
      withStrategy(
        data,
        data.deliveries.map((delivery) => {
          const row = newDelivery(data, delivery, flowId, time);
          return { ...row, ...restoredBy(fence, row) };
        }),
        time,
      ),
    );
    const deliveries = requested.flatMap(({ rows }) => rows);
    await insertPublications(
      db,
      requested.flatMap(({ publication }) => publication ?? []),
      session,
    );
    const known = await insertDeliveries(db, deliveries, session);
    const knownIds = new Set(known.map(({ _id }) => _id));
    const fresh = deliveries.filter(({ _id }) => !knownIds.has(_id)).map((row) => ({ ...row, run_at: row.created_at }));
    // Some end at once, or wait for others. Of a publication that is requested again, the requester may have lost what became of it: consumers ignore
    // revisions that they have.
    const changed = [...fresh, ...known].filter(({ revision }) => revision > 0);
    await emitDeliveriesChanged(db, session, changed);
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
    ...(publication.publishBefore && { publish_before: publication.publishBefore }),
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
