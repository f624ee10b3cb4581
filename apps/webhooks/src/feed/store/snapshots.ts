import type { ClientSession, Db } from 'mongodb';

/** A resource in its newest event, with which its next event is compared. */
export interface SnapshotDocument {
  /** The resource. */
  _id: string;
  /** Whose it is; absent in older documents of resources without events since. */
  organization_id?: string;
  business_id?: string;
  revision: number;
  /** JSON in the current version of the API. */
  data: string;
  /** When it is deleted; absent if it is kept. */
  expires_at?: Date;
}

const snapshots = (db: Db) => db.collection<SnapshotDocument>('snapshots');

export async function createSnapshotIndexes(db: Db): Promise<void> {
  await snapshots(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

/** For erasing. */
export async function createSnapshotOwnerIndex(db: Db): Promise<void> {
  await snapshots(db).createIndex({ organization_id: 1, business_id: 1 }, { name: 'owner' });
}

/** A migration: older snapshots do not say whose they are, but events of the same resources do. */
export async function noteSnapshotOwners(db: Db): Promise<void> {
  const first = { organization_id: { $first: '$organization_id' }, business_id: { $first: '$business_id' } };
  await db
    .collection('events')
    .aggregate([
      { $group: { _id: '$resource_id', ...first } },
      { $merge: { into: 'snapshots', on: '_id', whenMatched: 'merge', whenNotMatched: 'discard' } },
    ])
    .toArray();
}

export async function findSnapshots(db: Db, ids: readonly string[], session: ClientSession): Promise<Map<string, SnapshotDocument>> {
  const found = await snapshots(db)
    .find({ _id: { $in: [...ids] } }, { session })
    .toArray();
  return new Map(found.map((one) => [one._id, one]));
}

export async function putSnapshots(db: Db, changed: readonly SnapshotDocument[], session: ClientSession): Promise<void> {
  if (changed.length === 0) return;
  await snapshots(db).bulkWrite(
    changed.map((one) => ({ replaceOne: { filter: { _id: one._id }, replacement: one, upsert: true } })),
    { session, ordered: false },
  );
}
