import { notFound } from '@fanfare/errors';
import { after, pageOf, parsePageToken, type Page } from '@fanfare/mongo';
import { MongoBulkWriteError, type AnyBulkWriteOperation, type ClientSession, type Db, type Filter } from 'mongodb';
import type { AttemptDocument, DeliveryDocument, DeliveryStatus } from '../delivery.ts';

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');

const ATTEMPTS_KEPT = 20;

export async function createDeliveryIndexes(db: Db): Promise<void> {
  const pending = { status: 'pending' };
  await deliveries(db).createIndexes([
    { key: { endpoint_id: 1, next_attempt_at: 1, sequence: 1, begun_at: 1 }, name: 'due', partialFilterExpression: pending },
    {
      key: { endpoint_id: 1, resource_id: 1, sequence: 1, next_attempt_at: 1 },
      name: 'first_of_resource',
      partialFilterExpression: pending,
    },
    { key: { endpoint_id: 1, status: 1, created_at: -1, _id: -1, event_type: 1 }, name: 'log' },
    { key: { expires_at: 1 }, name: 'kept', expireAfterSeconds: 0 },
  ]);
}

export async function insertDeliveries(db: Db, all: readonly DeliveryDocument[], session: ClientSession): Promise<void> {
  await deliveries(db).insertMany([...all], { session });
}

/** Inserts those that do not exist. */
export async function insertMissing(db: Db, all: readonly DeliveryDocument[]): Promise<void> {
  if (all.length === 0) return;
  try {
    await deliveries(db).insertMany([...all], { ordered: false });
  } catch (error) {
    const isOnlyDuplicates = error instanceof MongoBulkWriteError && [error.writeErrors].flat().every(({ code }) => code === 11000);
    if (!isOnlyDuplicates) throw error;
  }
}

/** Pending again, as if they were new. */
const AGAIN = (at: Date) => ({
  $set: { status: 'pending' as const, begun_at: at, next_attempt_at: at, tries: 0 },
  $unset: { ended_at: '' as const, error: '' as const },
});

/** Delivers those of them again that have failed. */
export async function repeatFailed(db: Db, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length > 0) await deliveries(db).updateMany({ _id: { $in: [...ids] }, status: 'failed' }, AGAIN(at));
}

/** Delivers it again, whatever its status. @throws DomainError resource_not_found */
export async function repeat(db: Db, endpointId: string, id: string, at: Date, session: ClientSession): Promise<DeliveryDocument> {
  const found = await deliveries(db).findOneAndUpdate({ _id: id, endpoint_id: endpointId }, AGAIN(at), {
    session,
    returnDocument: 'after',
  });
  if (!found) throw notFound('delivery');
  return found;
}

export const findDelivery = (db: Db, endpointId: string, id: string, session?: ClientSession): Promise<DeliveryDocument | null> =>
  deliveries(db).findOne({ _id: id, endpoint_id: endpointId }, session ? { session } : {});

/** @throws DomainError resource_not_found */
export async function getDelivery(db: Db, endpointId: string, id: string, session?: ClientSession): Promise<DeliveryDocument> {
  const found = await findDelivery(db, endpointId, id, session);
  if (!found) throw notFound('delivery');
  return found;
}

/** A page, newest first, with the last attempt of each but without its request and response. */
export async function listDeliveries(
  db: Db,
  endpointId: string,
  filter: { statuses: readonly DeliveryStatus[]; types: readonly string[]; since: Date | undefined; until: Date | undefined },
  pageSize: number,
  token: string,
): Promise<Page<DeliveryDocument>> {
  const { statuses, types, since, until } = filter;
  const binding = ['deliveries', endpointId, statuses, types, since, until];
  const conditions = [
    ...(since ? [{ created_at: { $gte: since } }] : []),
    ...(until ? [{ created_at: { $lt: until } }] : []),
    ...(types.length > 0 ? [{ event_type: { $in: [...types] } }] : []),
    after(parsePageToken(token, binding)),
  ] as Filter<DeliveryDocument>[];
  const rows = await deliveries(db)
    .find(
      { endpoint_id: endpointId, status: { $in: [...statuses] }, $and: conditions },
      { projection: { 'attempts.request': 0, 'attempts.response': 0 } },
    )
    .sort({ created_at: -1, _id: -1 })
    .limit(pageSize + 1)
    .toArray();
  const last = rows.map((row) => ({ ...row, attempts: row.attempts.slice(-1) }));
  return pageOf(last, pageSize, binding);
}

/** Without its attempts, which may be large. */
export type DueDelivery = Omit<DeliveryDocument, 'attempts'>;

/** Pending ones that are due, the longest due first. */
export const findDue = (db: Db, endpointId: string, now: Date, without: readonly string[], limit: number): Promise<DueDelivery[]> =>
  deliveries(db)
    .find(
      { endpoint_id: endpointId, status: 'pending', next_attempt_at: { $lte: now }, _id: { $nin: [...without] } },
      { projection: { attempts: 0 } },
    )
    .sort({ next_attempt_at: 1, sequence: 1 })
    .limit(limit)
    .toArray();

/** The longest due ones of other resources, without tests. */
export const findDueOfOthers = (
  db: Db,
  endpointId: string,
  now: Date,
  { without, resourceId }: { readonly without: readonly string[]; readonly resourceId: string },
  limit: number,
): Promise<DueDelivery[]> =>
  deliveries(db)
    .find(
      {
        endpoint_id: endpointId,
        status: 'pending',
        next_attempt_at: { $lte: now },
        _id: { $nin: [...without] },
        event_type: { $ne: 'webhook.test' },
        resource_id: { $ne: resourceId },
      },
      { projection: { attempts: 0 } },
    )
    .sort({ next_attempt_at: 1, sequence: 1 })
    .limit(limit)
    .toArray();

/** A test that is due, and the pending delivery of the oldest event, due or not. */
export async function findTestAndOldest(
  db: Db,
  endpointId: string,
  now: Date,
  without: readonly string[],
): Promise<{ readonly test: DueDelivery | undefined; readonly oldest: DueDelivery | undefined }> {
  const pending = { endpoint_id: endpointId, status: 'pending' as const, _id: { $nin: [...without] } };
  const isTest = { event_type: 'webhook.test' as const, next_attempt_at: { $lte: now } };
  const find = async (more: Filter<DeliveryDocument>) =>
    (await deliveries(db).findOne({ ...pending, ...more }, { projection: { attempts: 0 }, sort: { sequence: 1 } })) ?? undefined;
  const [test, oldest] = await Promise.all([find(isTest), find({ event_type: { $ne: 'webhook.test' } })]);
  return { test, oldest };
}

/** The oldest pending delivery of each of these resources. */
export const firstOfResources = (
  db: Db,
  endpointId: string,
  resourceIds: readonly string[],
): Promise<Pick<DeliveryDocument, 'resource_id' | 'sequence' | 'next_attempt_at'>[]> =>
  deliveries(db)
    .aggregate<Pick<DeliveryDocument, 'resource_id' | 'sequence' | 'next_attempt_at'>>([
      { $match: { endpoint_id: endpointId, status: 'pending', resource_id: { $in: [...resourceIds] } } },
      { $sort: { endpoint_id: 1, resource_id: 1, sequence: 1 } },
      { $group: { _id: '$resource_id', sequence: { $first: '$sequence' }, next_attempt_at: { $first: '$next_attempt_at' } } },
      { $project: { _id: 0, resource_id: '$_id', sequence: 1, next_attempt_at: 1 } },
    ])
    .toArray();

/** Those of a resource after `sequence` wait until then, too. */
export async function waitBehind(db: Db, endpointId: string, resourceId: string, sequence: number, until: Date): Promise<void> {
  await deliveries(db).updateMany(
    { endpoint_id: endpointId, status: 'pending', resource_id: resourceId, sequence: { $gt: sequence }, next_attempt_at: { $lt: until } },
    { $set: { next_attempt_at: until } },
  );
}

/** When the next delivery is due; undefined if none is pending. */
export async function nextAttemptAt(db: Db, endpointId: string): Promise<Date | undefined> {
  const next = await deliveries(db).findOne(
    { endpoint_id: endpointId, status: 'pending' },
    { sort: { next_attempt_at: 1 }, projection: { next_attempt_at: 1 } },
  );
  return next?.next_attempt_at;
}

/** What became of an attempt. */
export interface Outcome {
  readonly attempt: AttemptDocument;
  readonly status: DeliveryStatus;
  /** If it is pending. */
  readonly nextAttemptAt?: Date | undefined;
}

/** Stores outcomes, in one round trip. A failure changes nothing if the delivery has ended meanwhile, for example by an attempt of another process. */
export async function storeOutcomes(db: Db, all: readonly { readonly id: string; readonly outcome: Outcome }[]): Promise<void> {
  await deliveries(db).bulkWrite(
    all.map(({ id, outcome: { attempt, status, nextAttemptAt: next } }): AnyBulkWriteOperation<DeliveryDocument> => ({
      updateOne: {
        filter: { _id: id, ...(status !== 'succeeded' && { status: 'pending' }) },
        update: {
          $set: { status, ...(next ? { next_attempt_at: next } : { ended_at: new Date(attempt.at.getTime() + attempt.duration_ms) }) },
          ...(!next && { $unset: { next_attempt_at: '', ...(status === 'succeeded' && { error: '' }) } }),
          $inc: { attempt_count: 1, tries: 1 },
          $push: { attempts: { $each: [attempt], $slice: -ATTEMPTS_KEPT } },
        },
      },
    })),
    { ordered: false },
  );
}

/**
 * All pending deliveries of an endpoint are due, in the order of their events.
 * @param since since when: a time before which no delivery is queued that this does not see, because those that are added later are sent later
 */
export async function makeDue(db: Db, endpointId: string, since: Date): Promise<void> {
  await deliveries(db).updateMany({ endpoint_id: endpointId, status: 'pending' }, { $set: { next_attempt_at: since } });
}

/** Ends pending deliveries without another attempt: those that were tried and began before a time, or all but tests. */
export async function failPending(
  db: Db,
  endpointId: string,
  which: { begunBefore: Date } | 'all',
  at: Date,
  error: string,
): Promise<void> {
  const filter =
    which === 'all' ? { event_type: { $ne: 'webhook.test' as const } } : { begun_at: { $lt: which.begunBefore }, tries: { $gt: 0 } };
  await deliveries(db).updateMany({ endpoint_id: endpointId, status: 'pending', ...filter }, failed(at, error));
}

export async function failThese(db: Db, ids: readonly string[], at: Date, error: string): Promise<void> {
  if (ids.length > 0) await deliveries(db).updateMany({ _id: { $in: [...ids] }, status: 'pending' }, failed(at, error));
}

const failed = (at: Date, error: string) => ({
  $set: { status: 'failed' as const, ended_at: at, error },
  $unset: { next_attempt_at: '' as const },
});

export async function deleteDeliveries(db: Db, endpointId: string): Promise<void> {
  await deliveries(db).deleteMany({ endpoint_id: endpointId });
}

/** Endpoints, of all or of some, with deliveries that were due before a time. */
export async function endpointsWithDue(db: Db, before: Date, of?: readonly string[]): Promise<string[]> {
  const found = await deliveries(db)
    .aggregate<{ _id: string }>(
      [
        { $match: { status: 'pending', next_attempt_at: { $lte: before }, ...(of && { endpoint_id: { $in: of } }) } },
        { $group: { _id: '$endpoint_id' } },
      ],
      { hint: 'due' },
    )
    .toArray();
  return found.map(({ _id }) => _id);
}

/** Deliveries whose next attempt is due, for scaling. */
export const countDue = (db: Db, now: Date): Promise<number> =>
  deliveries(db).countDocuments({ status: 'pending', next_attempt_at: { $lte: now } }, { hint: 'due' });
