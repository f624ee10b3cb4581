import { currentTime } from '@fanfare/runtime';
import { isDuplicateKey } from '@fanfare/mongo';
import { MongoBulkWriteError, type ClientSession, type Db } from 'mongodb';

/**
 * A blob and the number of references to it. An organization has one row for the same bytes. A reference is added or removed in the transaction that
 * writes the referring document. The collector writes the same row, so that one of two concurrent transactions fails.
 */
export interface BlobDocument {
  /** The blob's id in the store. */
  _id: string;
  organization_id: string;
  /** Absent if the blob is being collected, or if another row has the same bytes: earlier versions stored a blob for each media. */
  sha256?: string;
  size_bytes: number;
  created_at: Date;
  references: number;
  /** When its last reference was removed; absent while there is a reference. */
  free_since?: Date;
  /** Set by the collector. After that, no reference can be added. */
  collected?: true;
}

const blobs = (db: Db) => db.collection<BlobDocument>('blobs');

export async function createBlobRowIndexes(db: Db): Promise<void> {
  await blobs(db).createIndex(
    { organization_id: 1, sha256: 1 },
    { unique: true, partialFilterExpression: { sha256: { $type: 'string' } } },
  );
  await blobs(db).createIndex({ free_since: 1 }, { partialFilterExpression: { free_since: { $type: 'date' } } });
}

/** The blob of an organization with these bytes, if any. It may be collected at any time before `referToBlob`. */
export async function findBlob(db: Db, organizationId: string, sha256: string): Promise<BlobDocument | null> {
  return blobs(db).findOne({ organization_id: organizationId, sha256 });
}

/** Adds a reference. Returns false if the blob has been collected: then the bytes must be stored again. */
export async function referToBlob(db: Db, blobId: string, session: ClientSession): Promise<boolean> {
  const live = { _id: blobId, collected: { $exists: false } };
  const { matchedCount } = await blobs(db).updateOne(live, { $inc: { references: 1 }, $unset: { free_since: true } }, { session });
  return matchedCount === 1;
}

/**
 * Inserts the row of a new blob, with its first reference.
 * @throws MongoServerError (duplicate key of `sha256`) if the same bytes were stored by another request in the meantime
 */
export async function insertBlob(
  db: Db,
  { blobId, organizationId, sha256, sizeBytes }: { blobId: string; organizationId: string; sha256: string; sizeBytes: number },
  session: ClientSession,
): Promise<void> {
  const row = { organization_id: organizationId, sha256, size_bytes: sizeBytes, references: 1, created_at: currentTime() };
  await blobs(db).insertOne({ _id: blobId, ...row }, { session });
}

/**
 * Removes a reference. A blob without references is collected a day later, unless one is added before. Creates the row if it is missing: an earlier
 * version that runs at the same time may store blobs without rows.
 */
export async function releaseBlob(
  db: Db,
  { blobId, organizationId, sizeBytes }: { blobId: string; organizationId: string; sizeBytes: number },
  session: ClientSession,
): Promise<void> {
  const unknown = { organization_id: organizationId, size_bytes: sizeBytes, created_at: '$$NOW' };
  await blobs(db).updateOne(
    { _id: blobId },
    [
      { $replaceWith: { $mergeObjects: [unknown, '$$ROOT', { references: { $max: [0, { $subtract: ['$references', 1] }] } }] } },
      { $set: { free_since: { $cond: [{ $eq: ['$references', 0] }, '$$NOW', '$$REMOVE'] } } },
    ],
    { session, upsert: true },
  );
}

/**
 * Marks blobs that have had no reference for `freeForMs` as collected. Returns them, with those marked earlier that still exist. No reference to them
 * can be added; the same bytes get a new blob.
 */
export async function markFreeBlobs(db: Db, limit: number, freeForMs: number): Promise<BlobDocument[]> {
  const isOver = { $expr: { $lte: ['$free_since', { $subtract: ['$$NOW', freeForMs] }] } };
  // Reads only the oldest rows, by the index. A filter by time would scan rows that are not due.
  const candidates = await blobs(db)
    .find({ free_since: { $type: 'date' } }, { projection: { _id: 1 } })
    .sort({ free_since: 1 })
    .limit(limit)
    .toArray();
  const ids = candidates.map(({ _id }) => _id);
  await blobs(db).updateMany(
    { _id: { $in: ids }, free_since: { $type: 'date' }, ...isOver },
    { $set: { collected: true }, $unset: { sha256: true } },
  );
  return blobs(db)
    .find({ _id: { $in: ids }, collected: true, ...isOver })
    .toArray();
}

/** The next blobs by id, without collected ones. */
export async function blobsAfter(db: Db, blobId: string, limit: number): Promise<BlobDocument[]> {
  return blobs(db)
    .find({ _id: { $gt: blobId }, collected: { $exists: false } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
}

/** Whether a blob exists and has not been collected. */
export async function isKept(db: Db, blobId: string): Promise<boolean> {
  return (await blobs(db).countDocuments({ _id: blobId, collected: { $exists: false } }, { limit: 1 })) === 1;
}

/** Delays the next attempt to delete a blob, as if its last reference had just been removed. */
export async function postponeBlob(db: Db, blobId: string): Promise<void> {
  await blobs(db).updateOne({ _id: blobId, collected: true }, [{ $set: { free_since: '$$NOW' } }]);
}

/** Deletes the row, after the blob was deleted from the store. */
export async function forgetBlob(db: Db, blobId: string): Promise<void> {
  await blobs(db).deleteOne({ _id: blobId, collected: true });
}

const BATCH = 500;

/** Migration: adds rows for the blobs of existing media. Of several blobs with the same bytes, only one row has the `sha256`. */
export async function addBlobRows(db: Db): Promise<void> {
  await createBlobRowIndexes(db);
  const media = db
    .collection<{ organization_id: string; blob_id: string; sha256: string; size_bytes: number; created_at: Date }>('media')
    .find({}, { projection: { organization_id: 1, blob_id: 1, sha256: 1, size_bytes: 1, created_at: 1 }, batchSize: BATCH });
  const batch: BlobDocument[] = [];
  for await (const { organization_id, blob_id, sha256, size_bytes, created_at } of media) {
    batch.push({ _id: blob_id, organization_id, sha256, size_bytes, created_at, references: 1 });
    if (batch.length === BATCH) await addRows(db, batch.splice(0));
  }
  if (batch.length > 0) await addRows(db, batch);
}

async function addRows(db: Db, rows: BlobDocument[]): Promise<void> {
  const upserts = (some: BlobDocument[]) =>
    some.map(({ _id, ...row }) => ({ updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true } }));
  try {
    await blobs(db).bulkWrite(upserts(rows), { ordered: false });
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
    const rejected = [error.writeErrors].flat().flatMap(({ index }) => rows[index] ?? []);
    await blobs(db).bulkWrite(upserts(rejected.map(({ sha256: _anothers, ...row }) => row)));
  }
}
