import { notFound } from '@fanfare/errors';
import { LeaseLost, leasedFor, leasedRows } from '@fanfare/leased-work';
import { editOnce, type Edit, type Editable } from '@fanfare/mongo';
import type { ClientSession, Db, Document, UpdateFilter } from 'mongodb';
import type { EndpointDocument } from '../endpoint.ts';

const endpoints = (db: Db) => db.collection<EndpointDocument>('endpoints');

/** The rows that processes lease in order to send. */
export const endpointRows = leasedRows<EndpointDocument>({ of: endpoints, due: 'send_at', organizationTime: true });

export async function createEndpointIndexes(db: Db): Promise<void> {
  await endpoints(db).createIndexes([
    { key: { organization_id: 1, created_at: -1 }, name: 'of_organization' },
    { key: { organization_id: 1, slot: 1 }, name: 'slots', unique: true },
    { key: { send_at: 1 }, name: 'due', sparse: true },
  ]);
}

/** Fails with a duplicate key if the slot or the id is taken. */
export async function insertEndpoint(db: Db, endpoint: EndpointDocument): Promise<void> {
  await endpoints(db).insertOne(endpoint);
}

/** Newest first. */
export const listEndpoints = (db: Db, organizationIds: readonly string[], session?: ClientSession): Promise<EndpointDocument[]> =>
  endpoints(db)
    .find({ organization_id: { $in: [...organizationIds] } }, session ? { session } : {})
    .sort({ created_at: -1, _id: -1 })
    .toArray();

/** @throws DomainError resource_not_found */
export async function getEndpoint(db: Db, organizationId: string, id: string, session?: ClientSession): Promise<EndpointDocument> {
  const endpoint = await endpoints(db).findOne({ _id: id, organization_id: organizationId }, session ? { session } : {});
  if (!endpoint) throw notFound('webhook endpoint');
  return endpoint;
}

/**
 * The first write under a lease: from now on added deliveries do not make the endpoint due, because this process notices them. Those that were added since
 * the lease began have made it due, so this renews the lease; otherwise two processes would send at once.
 * @throws LeaseLost
 */
export const beginSending = (db: Db, row: EndpointDocument, leaseMs: number): Promise<EndpointDocument> =>
  endpointRows.write(db, { row, pipeline: [{ $set: { held: true, ...leasedFor('send_at', leaseMs) } }] });

/** The endpoint as it is now. @throws LeaseLost */
export async function getLeased(db: Db, { _id, fence }: EndpointDocument): Promise<EndpointDocument> {
  const found = await endpoints(db).findOne({ _id, fence: fence ?? 0 });
  if (!found) throw new LeaseLost(_id);
  return found;
}

/** @throws DomainError resource_not_found, precondition_failed */
export async function editEndpoint(
  db: Db,
  organizationId: string,
  id: string,
  changes: Partial<Omit<EndpointDocument, keyof Editable>>,
  edit: Edit,
  session: ClientSession,
): Promise<EndpointDocument> {
  const edited = await editOnce(endpoints(db), { _id: id, organization_id: organizationId }, changes, edit, session);
  if (!edited) throw notFound('webhook endpoint');
  return edited;
}

/** Removes fields, which an edit cannot. */
export async function unsetFields(
  db: Db,
  id: string,
  fields: readonly (keyof EndpointDocument)[],
  session: ClientSession,
): Promise<EndpointDocument | null> {
  const removed = Object.fromEntries(fields.map((field) => [field, ''])) as UpdateFilter<EndpointDocument>['$unset'];
  return endpoints(db).findOneAndUpdate({ _id: id }, { $unset: removed ?? {} }, { session, returnDocument: 'after' });
}

/** @returns whether it existed with one of these revisions; empty means any */
export async function deleteEndpoint(db: Db, organizationId: string, id: string, expectedRevisions: readonly number[]): Promise<boolean> {
  const atRevision = expectedRevisions.length === 0 ? {} : { revision: { $in: [...expectedRevisions] } };
  const { deletedCount } = await endpoints(db).deleteOne({ _id: id, organization_id: organizationId, ...atRevision });
  return deletedCount === 1;
}

const EPOCH = new Date(0);

/** Stages after which the endpoint is due now, or after its wait; while a process has leased it, that process notices by `queued`. */
const QUEUED: readonly Document[] = [
  {
    $set: {
      queued: { $add: ['$queued', 1] },
      send_at: { $cond: ['$held', '$send_at', { $max: ['$$NOW', { $ifNull: ['$paused_until', EPOCH] }] }] },
    },
  },
];

/** Deliveries were added: the endpoints are due. */
export async function markQueued(db: Db, ids: readonly string[]): Promise<void> {
  await endpoints(db).updateMany({ _id: { $in: [...ids] } }, [...QUEUED]);
}

/** Marks those that nobody has leased and that are due later, or not at all. @returns how many */
export async function markForgotten(db: Db, ids: readonly string[], now: Date): Promise<number> {
  const isLater = { $or: [{ send_at: { $exists: false } }, { send_at: { $gt: now } }] };
  const isFree = { held: false, $or: [{ paused_until: { $exists: false } }, { paused_until: { $lte: now } }] };
  const { modifiedCount } = await endpoints(db).updateMany({ _id: { $in: [...ids] }, $and: [isLater, isFree] }, [...QUEUED]);
  return modifiedCount;
}

/** Adds a recovery to one in progress: from the earlier event to the later one. The endpoint is due. @throws DomainError resource_not_found */
export async function requestRecovery(
  db: Db,
  id: string,
  { after, until }: { after: number; until: number },
  session: ClientSession,
): Promise<EndpointDocument> {
  const recovery = { after: { $min: ['$recovery.after', after] }, until: { $max: ['$recovery.until', until] } };
  const found = await endpoints(db).findOneAndUpdate({ _id: id }, [{ $set: { recovery } }, { $unset: 'paused_until' }, ...QUEUED], {
    session,
    returnDocument: 'after',
  });
  if (!found) throw notFound('webhook endpoint');
  return found;
}

/** The same, because somebody requested it: a wait ends. */
export async function markWanted(db: Db, id: string, session: ClientSession): Promise<void> {
  await endpoints(db).updateOne({ _id: id }, [{ $unset: 'paused_until' }, ...QUEUED], { session });
}

/** The encrypted secrets of endpoints after `afterId`, ordered by id. */
export const listSealed = (db: Db, afterId: string, limit: number): Promise<Pick<EndpointDocument, '_id' | 'sealed'>[]> =>
  endpoints(db)
    .find({ _id: { $gt: afterId } }, { projection: { sealed: 1 } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();

/** How many endpoints have secrets that each key encrypts. */
export async function countSealedByKey(db: Db): Promise<Map<string, number>> {
  const counts = await endpoints(db)
    .aggregate<{ _id: string; count: number }>([
      { $group: { _id: { $arrayElemAt: [{ $split: ['$sealed', '.'] }, 0] }, count: { $sum: 1 } } },
    ])
    .toArray();
  return new Map(counts.map(({ _id, count }) => [_id, count]));
}

/** @returns whether it was written: not if it was changed meanwhile */
export async function replaceSealed(db: Db, { _id, sealed }: Pick<EndpointDocument, '_id' | 'sealed'>, resealed: string): Promise<boolean> {
  const { matchedCount } = await endpoints(db).updateOne({ _id, sealed }, { $set: { sealed: resealed } });
  return matchedCount === 1;
}
