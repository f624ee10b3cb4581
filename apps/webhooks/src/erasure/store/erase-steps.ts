import { deleteSome, ofBusinesses, type Erased, type EraseStep } from '@fanfare/erasure';
import { deleteOutboxRowsOf } from '@fanfare/events';
import { deleteClockOf } from '@fanfare/test-clock';
import type { Db, Filter } from 'mongodb';
import { deliveryIdOf } from '../../deliveries/new-delivery.ts';
import type { DeliveryDocument } from '../../deliveries/delivery.ts';
import type { EndpointDocument } from '../../endpoints/endpoint.ts';
import type { EventDocument } from '../../feed/event.ts';
import type { SnapshotDocument } from '../../feed/store/snapshots.ts';

const endpoints = (db: Db) => db.collection<EndpointDocument>('endpoints');
const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');
const events = (db: Db) => db.collection<EventDocument>('events');
const snapshots = (db: Db) => db.collection<SnapshotDocument>('snapshots');

/**
 * Everything that webhooks stores of a business: its events, with their deliveries, which contain what was sent. Endpoints belong to the organization: only those that
 * select no other business are deleted.
 */
export function eraseSteps({ db }: { readonly db: Db }): Readonly<Record<string, EraseStep>> {
  return {
    events: (erased, limit) => eraseEvents(db, erased, limit),
    deliveries: (erased, limit) => eraseDeliveries(db, erased, limit),
    endpoints: (erased, limit) => eraseEndpoints(db, erased, limit),
    snapshots: (erased, limit) => deleteSome(snapshots(db), ofErased(erased) as Filter<SnapshotDocument>, limit),
    sequences: (erased) => eraseSequences(db, erased),
    outbox: (erased) => deleteOutboxRowsOf(db, erased),
    test_clock: (erased) => deleteClockOf(db, erased),
  };
}

/** What belongs to the organization itself has an empty business. */
const ofErased = (erased: Erased) => (erased.wholeOrganization ? { organization_id: erased.organizationId } : ofBusinesses(erased));

async function eraseEvents(db: Db, erased: Erased, limit: number): Promise<number> {
  // The index of the feed has both fields, so that no other event is read.
  const found = await events(db)
    .find(ofErased(erased), { projection: { _id: 1 }, hint: 'feed' })
    .limit(limit)
    .toArray();
  if (found.length === 0) return 0;
  const ids = found.map(({ _id }) => _id);
  const receivers = await endpoints(db)
    .find({ organization_id: erased.organizationId }, { projection: { _id: 1 } })
    .toArray();
  const sent = ids.flatMap((event) => receivers.map((endpoint) => deliveryIdOf(event, endpoint._id)));
  await deliveries(db).deleteMany({ _id: { $in: sent } });
  await events(db).deleteMany({ _id: { $in: ids } });
  return found.length;
}

/** Of all endpoints of the organization, or of those that are deleted with their only business. */
async function eraseDeliveries(db: Db, erased: Erased, limit: number): Promise<number> {
  const found = await endpoints(db)
    .find(ofDeleted(erased), { projection: { _id: 1 } })
    .toArray();
  return deleteSome(deliveries(db), { endpoint_id: { $in: found.map(({ _id }) => _id) } }, limit);
}

/** Those that select only erased businesses: without them they would select all. */
const ofDeleted = ({ organizationId, businessIds, wholeOrganization }: Erased): Filter<EndpointDocument> => ({
  organization_id: organizationId,
  ...(!wholeOrganization && {
    $and: [{ 'business_ids.0': { $exists: true } }, { business_ids: { $not: { $elemMatch: { $nin: [...businessIds] } } } }],
  }),
});

async function eraseEndpoints(db: Db, erased: Erased, limit: number): Promise<number> {
  const { organizationId, businessIds } = erased;
  const deleted = await deleteSome(endpoints(db), ofDeleted(erased), limit);
  const { modifiedCount } = await endpoints(db).updateMany(
    { organization_id: organizationId, business_ids: { $in: [...businessIds] } },
    { $pull: { business_ids: { $in: [...businessIds] } }, $inc: { revision: 1 }, $currentDate: { updated_at: true } },
  );
  return deleted + modifiedCount;
}

async function eraseSequences(db: Db, { organizationId, wholeOrganization }: Erased): Promise<number> {
  if (!wholeOrganization) return 0;
  return (await db.collection<{ _id: string }>('sequences').deleteOne({ _id: organizationId })).deletedCount;
}
