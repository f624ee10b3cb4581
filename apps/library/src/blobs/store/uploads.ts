import type { ClientSession, Db } from 'mongodb';

/**
 * A blob that is being written: the note, made before its first byte, by which its remains are found if nobody finishes it.
 * It goes in the transaction that makes the media visible.
 */
interface UploadDocument {
  /** The blob's id; different for each attempt. */
  _id: string;
  /** Of the media, or the derivative, that it is to be. */
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
  const isOver = { $expr: { $lte: ['$lease_until', '$$NOW'] } };
  // The oldest ones, by the index: those that are not over are never gone through.
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

/** Gives an upload up. Returns false when it is finished, or forgotten: then its blob is none of ours. */
export async function abandonUpload(db: Db, blobId: string): Promise<boolean> {
  const { matchedCount } = await uploads(db).updateOne({ _id: blobId }, { $set: { abandoned: true } });
  return matchedCount === 1;
}

/** Notes a staged blob that turned out not to be needed, for the next sweep. */
export async function leaveToSweep(db: Db, blobId: string, mediaId: string, session: ClientSession): Promise<void> {
  const note = { media_id: mediaId, lease_until: new Date(0), abandoned: true } as const;
  await uploads(db).updateOne({ _id: blobId }, { $set: note }, { session, upsert: true });
}

/** Has the next sweeps pass over one that cannot be removed, for an hour. */
export async function postponeUpload(db: Db, blobId: string): Promise<void> {
  await uploads(db).updateOne({ _id: blobId }, [{ $set: { lease_until: { $add: ['$$NOW', 3600_000] } } }]);
}

/** To be called when the blob is gone, or never to be missed. */
export async function forgetUpload(db: Db, blobId: string): Promise<void> {
  await uploads(db).deleteOne({ _id: blobId });
}
