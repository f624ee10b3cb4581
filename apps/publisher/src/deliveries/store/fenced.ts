import { grouped, newId, onePer } from '@fanfare/runtime';
import { MongoBulkWriteError, type ClientSession, type Db, type Document, type Filter } from 'mongodb';
import type { DeliveryDocument } from './deliveries.ts';

/** Somebody else has the lease now; whatever we were about to do is theirs. */
export class LeaseLost extends Error {
  constructor(id: string) {
    super(`The lease of delivery ${id} is lost.`);
  }
}

/** A write to a delivery whose lease we hold. */
export interface FencedWrite {
  readonly held: Pick<DeliveryDocument, '_id' | 'fence'>;
  readonly pipeline: readonly Document[];
}

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');
const MOST_TOGETHER = 64;

/**
 * Writes, if the lease is still ours, and hands the delivery over as it is then. Writes to other deliveries that are asked for meanwhile go together.
 * @throws LeaseLost
 */
export const writeFenced = (db: Db, write: FencedWrite): Promise<DeliveryDocument> => writer(db)(write);

const writer = onePer((db: Db) =>
  grouped<FencedWrite, DeliveryDocument>({ most: MOST_TOGETHER, keyOf: ({ held }) => held._id, work: (all) => together(db, all) }),
);

/**
 * One or many in a transaction; all of them are ours, or none is written.
 * @throws LeaseLost of one of them
 */
export async function writeAllFenced(db: Db, writes: readonly FencedWrite[], session: ClientSession): Promise<DeliveryDocument[]> {
  const [first, ...others] = writes;
  // One write alone costs one round trip less.
  if (first && others.length === 0) return [await alone(db, first, session)];
  const after = await bulk(db, writes, session);
  return writes.map(({ held: { _id } }) => {
    const one = after.get(_id);
    if (!one) throw new LeaseLost(_id);
    return one;
  });
}

async function together(db: Db, writes: readonly FencedWrite[]): Promise<PromiseSettledResult<DeliveryDocument>[]> {
  if (writes.length === 1) return Promise.allSettled(writes.map((write) => alone(db, write)));
  const after = await bulk(db, writes);
  // What was not written tells by itself why not.
  return Promise.allSettled(writes.map(async (write) => after.get(write.held._id) ?? alone(db, write)));
}

const bulk = (db: Db, writes: readonly FencedWrite[], session?: ClientSession): Promise<Map<string, DeliveryDocument>> =>
  writeMarked(
    db,
    writes.map((write) => ({ id: write.held._id, where: ours(write), update: write.pipeline })),
    session,
  );

/** Writes to several deliveries. Answers with those that were written, as they are then: a mark tells them from those that somebody else wrote meanwhile. */
export async function writeMarked(
  db: Db,
  writes: readonly { readonly id: string; readonly where: Filter<DeliveryDocument>; readonly update: readonly Document[] }[],
  session?: ClientSession,
): Promise<Map<string, DeliveryDocument>> {
  const options = session && { session };
  const written_in = newId();
  const operations = writes.map(({ id, where, update }) => ({
    updateOne: { filter: { ...where, _id: id }, update: [...update, { $set: { written_in } }] },
  }));
  await deliveries(db)
    .bulkWrite(operations, { ordered: false, ...options })
    .catch((error: unknown) => {
      // Outside of a transaction one that is refused leaves the others be.
      if (session || !isRefusalOfSome(error)) throw error;
    });
  const ids = writes.map(({ id }) => id);
  const found = await deliveries(db)
    .find({ _id: { $in: ids }, written_in }, options)
    .toArray();
  return new Map(found.map((one) => [one._id, one]));
}

async function alone(db: Db, write: FencedWrite, session?: ClientSession): Promise<DeliveryDocument> {
  const after = await deliveries(db).findOneAndUpdate(ours(write), [...write.pipeline], {
    returnDocument: 'after',
    ...(session && { session }),
  });
  if (!after) throw new LeaseLost(write.held._id);
  return after;
}

const ours = ({ held: { _id, fence } }: FencedWrite) => ({ _id, fence, open: true });

const isRefusalOfSome = (error: unknown): boolean => error instanceof MongoBulkWriteError && [error.writeErrors].flat().length > 0;
