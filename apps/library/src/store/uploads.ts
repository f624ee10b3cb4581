import type { ClientSession, Db } from 'mongodb';

/**
 * A blob that is being written: the note, made before its first byte, by which its remains are found if nobody finishes it.
 * It goes in the transaction that makes the media visible.
 */
interface UploadDocument {
  /** The blob's id; different for each attempt. */
  _id: string;
  media_id: string;
  lease_until: Date;
  /** Set by the collector: from then on the upload cannot be finished any more. */
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

/** @throws Error when the upload took longer than its lease and was given up */
export async function finishUpload(db: Db, blobId: string, session: ClientSession): Promise<void> {
  const { deletedCount } = await uploads(db).deleteOne({ _id: blobId, abandoned: { $exists: false } }, { session });
  if (deletedCount === 0) throw new Error(`The upload of blob ${blobId} took longer than its lease.`);
}

/** Gives up uploads whose lease has passed and answers with their blob ids, those given up earlier included. */
export async function abandonExpiredUploads(db: Db, limit: number): Promise<string[]> {
  const expired = await uploads(db)
    .find({ $expr: { $lte: ['$lease_until', '$$NOW'] } })
    .sort({ lease_until: 1 })
    .limit(limit)
    .toArray();
  const ids = expired.map(({ _id }) => _id);
  await uploads(db).updateMany({ _id: { $in: ids } }, { $set: { abandoned: true } });
  return ids;
}

/** To be called when the blob is gone, or never to be missed. */
export async function forgetUpload(db: Db, blobId: string): Promise<void> {
  await uploads(db).deleteOne({ _id: blobId });
}
