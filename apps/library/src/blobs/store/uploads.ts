import type { ClientSession, Db } from 'mongodb';

/**
 * A blob that is being written. The row is inserted before the first byte, and deleted in the transaction that makes the media visible, so that the
 * sweep finds the blobs of interrupted uploads.
 */
interface UploadDocument {
  /** The blob's id; different for each attempt. */
  _id: string;
  /** Id of the media or derivative. */
  media_id: string;
  lease_until: Date;
  /** Set by the sweep. After that, the upload cannot be finished. */
  abandoned?: true;
}

const uploads = (db: Db) => db.collection<UploadDocument>('uploads');

export async function createUploadIndexes(db: Db): Promise<void> {
  await uploads(db).createIndex({ lease_until: 1 });
}

export async function beginUpload(db: Db, blobId: string, mediaId: string, leaseMs: number): Promise<void> {
  await uploads(db).updateOne({ _id: blobId }, [{ $set: { media_id: mediaId, lease_until: { $add: ['$$NOW', leaseMs] } } }], {
    upsert: true,
  });
}

/** @returns false if the sweep has abandoned the upload */
export async function renewUpload(db: Db, blobId: string, leaseMs: number): Promise<boolean> {
  const { matchedCount } = await uploads(db).updateOne({ _id: blobId, abandoned: { $exists: false } }, [
    { $set: { lease_until: { $add: ['$$NOW', leaseMs] } } },
  ]);
  return matchedCount === 1;
}

/** @throws Error if the lease expired and the sweep has abandoned the upload */
export async function finishUpload(db: Db, blobId: string, session: ClientSession): Promise<void> {
  const { deletedCount } = await uploads(db).deleteOne({ _id: blobId, abandoned: { $exists: false } }, { session });
  if (deletedCount === 0) throw new Error(`The upload of blob ${blobId} took longer than its lease.`);
}

/** Marks uploads whose lease has expired as abandoned. Returns the blob ids, including those that were abandoned earlier. */
export async function abandonExpiredUploads(db: Db, limit: number): Promise<string[]> {
  const isOver = { $expr: { $lte: ['$lease_until', '$$NOW'] } };
  // Reads only the oldest rows, by the index. A filter by time would scan rows that are not due.
  const expired = await uploads(db)
    .find({}, { projection: { _id: 1 } })
    .sort({ lease_until: 1 })
    .limit(limit)
    .toArray();
  const ids = expired.map(({ _id }) => _id);
  await uploads(db).updateMany({ _id: { $in: ids }, ...isOver }, { $set: { abandoned: true } });
  const abandoned = await uploads(db)
    .find({ _id: { $in: ids }, abandoned: true, ...isOver })
    .toArray();
  return abandoned.map(({ _id }) => _id);
}

/** Marks an upload as abandoned. Returns false if it has no row any more: then its blob may be in use. */
export async function abandonUpload(db: Db, blobId: string): Promise<boolean> {
  const { matchedCount } = await uploads(db).updateOne({ _id: blobId }, { $set: { abandoned: true } });
  return matchedCount === 1;
}

/** Lets the next sweep delete a staged blob that is not needed. */
export async function leaveToSweep(db: Db, blobId: string, mediaId: string, session: ClientSession): Promise<void> {
  const note = { media_id: mediaId, lease_until: new Date(0), abandoned: true } as const;
  await uploads(db).updateOne({ _id: blobId }, { $set: note }, { session, upsert: true });
}

/** Delays the next attempt to delete a blob by an hour. */
export async function postponeUpload(db: Db, blobId: string): Promise<void> {
  await uploads(db).updateOne({ _id: blobId }, [{ $set: { lease_until: { $add: ['$$NOW', 3600_000] } } }]);
}

/** Deletes the row, after the blob was deleted from the store. */
export async function forgetUpload(db: Db, blobId: string): Promise<void> {
  await uploads(db).deleteOne({ _id: blobId });
}
