import type { ClientSession, Db } from 'mongodb';
import { KEPT_MS } from '../../kept.ts';
import type { EventDocument } from '../event.ts';

const events = (db: Db) => db.collection<EventDocument>('events');

export async function createEventIndexes(db: Db): Promise<void> {
  await events(db).createIndexes([
    // The filters of a page are decided by the index alone: only events of the page are read.
    { key: { organization_id: 1, sequence: 1, type: 1, business_id: 1 }, name: 'feed' },
    { key: { stored_at: 1 }, name: 'kept', expireAfterSeconds: KEPT_MS / 1_000 },
  ]);
}

export async function insertEvents(db: Db, documents: readonly EventDocument[], session: ClientSession): Promise<void> {
  await events(db).insertMany([...documents], { session });
}

export const findEvent = (db: Db, organizationId: string, id: string): Promise<EventDocument | null> =>
  events(db).findOne({ _id: id, organization_id: organizationId });

export async function findEventsById(db: Db, ids: readonly string[]): Promise<Map<string, EventDocument>> {
  const found = await events(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();
  return new Map(found.map((event) => [event._id, event]));
}

/** When the first event of the organization at or after a sequence was stored; undefined if there is none. */
export async function storedAt(db: Db, organizationId: string, sequence: number): Promise<Date | undefined> {
  const found = await events(db).findOne(
    { organization_id: organizationId, sequence: { $gte: sequence } },
    { sort: { sequence: 1 }, projection: { stored_at: 1 } },
  );
  return found?.stored_at;
}

/** The sequence of the oldest event that is kept; undefined if there is none. */
export async function oldestSequence(db: Db, organizationId: string): Promise<number | undefined> {
  const oldest = await events(db).findOne({ organization_id: organizationId }, { sort: { sequence: 1 }, projection: { sequence: 1 } });
  return oldest?.sequence;
}

/**
 * Events of a range of sequences, oldest first. Reads one snapshot of what the majority has, so that no event is missing before another one, and no event
 * that was returned disappears in a failover.
 */
export function findEvents(
  db: Db,
  {
    organizationId,
    after,
    upTo,
    types,
    businessId,
    limit,
  }: {
    organizationId: string;
    after: number;
    upTo: number;
    /** Empty means all. */
    types: readonly string[];
    businessId: string | undefined;
    limit: number;
  },
): Promise<EventDocument[]> {
  return events(db)
    .find(
      {
        organization_id: organizationId,
        sequence: { $gt: after, $lte: upTo },
        ...(types.length > 0 && { type: { $in: [...types] as EventDocument['type'][] } }),
        ...(businessId !== undefined && { business_id: businessId }),
      },
      { readConcern: { level: 'snapshot' } },
    )
    .sort({ sequence: 1 })
    .limit(limit)
    .toArray();
}
