import { currentTime } from '@fanfare/runtime';
import { isDuplicateKey } from '@fanfare/mongo';
import { MongoBulkWriteError, type ClientSession, type Db } from 'mongodb';

/**
 * One stored content of an organization. Same bytes have the same row: all that refers to them refers to its blob. Each reference comes and goes
 * by a write on the row, in the transaction that writes what refers; so does the collector, and one of them loses.
 */
export interface BlobDocument {
  /** The blob's id in the store. */
  _id: string;
  organization_id: string;
  /** Absent when another row has the content, of a time when each media had a blob of its own, and on what is being collected. */
  sha256?: string;
  size_bytes: number;
  created_at: Date;
  references: number;
  /** Since when nothing refers to it; absent while something does. */
  free_since?: Date;
  /** Set by the collector: from then on nothing can refer to it any more. */
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

/** The blob that an organization has of a content, if there is one. Only `referToBlob` makes sure that it stays. */
export async function findBlob(db: Db, organizationId: string, sha256: string): Promise<BlobDocument | null> {
  return blobs(db).findOne({ organization_id: organizationId, sha256 });
}

/** Counts one reference more. Returns false when the blob has been collected: then it must be stored again. */
export async function referToBlob(db: Db, blobId: string, session: ClientSession): Promise<boolean> {
  const live = { _id: blobId, collected: { $exists: false } };
  const { matchedCount } = await blobs(db).updateOne(live, { $inc: { references: 1 }, $unset: { free_since: true } }, { session });
  return matchedCount === 1;
}

/**
 * Inserts the row of a blob that was just stored, with its first reference.
 * @throws MongoServerError, a duplicate key of `sha256`, when somebody else stored the same content meanwhile
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
 * Counts one reference less; after the last one the blob is free, and is collected a day later unless a reference comes back. A version without
 * rows may have stored it beside us: then it gets one now.
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
 * Takes blobs that have been free for long enough and answers with them, together with those that were taken earlier and are still there. Nothing
 * can refer to them any more; the same content gets a row of its own.
 */
export async function takeFreeBlobs(db: Db, limit: number, freeForMs: number): Promise<BlobDocument[]> {
  const isOver = { $expr: { $lte: ['$free_since', { $subtract: ['$$NOW', freeForMs] }] } };
  // The oldest ones, by the index: those that are not over are never gone through.
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

/** Blobs that are kept, in the order of their ids, after one of them. */
export async function blobsAfter(db: Db, blobId: string, limit: number): Promise<BlobDocument[]> {
  return blobs(db)
    .find({ _id: { $gt: blobId }, collected: { $exists: false } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
}

/** Whether a blob is kept, at this moment. */
export async function isKept(db: Db, blobId: string): Promise<boolean> {
  return (await blobs(db).countDocuments({ _id: blobId, collected: { $exists: false } }, { limit: 1 })) === 1;
}

/** Has the collector pass over one that cannot be removed, for as long as over one that has just become free. */
export async function postponeBlob(db: Db, blobId: string): Promise<void> {
  await blobs(db).updateOne({ _id: blobId, collected: true }, [{ $set: { free_since: '$$NOW' } }]);
}

/** To be called when the blob is gone from the store. */
export async function forgetBlob(db: Db, blobId: string): Promise<void> {
  await blobs(db).deleteOne({ _id: blobId, collected: true });
}

const BATCH = 500;

/** Gives media that were stored before there were rows one each. Of several with the same content one is found by it from now on. */
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
