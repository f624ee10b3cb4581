import type { Db, Filter, UpdateFilter } from 'mongodb';

/**
 * A blob on S3 that is not sealed. S3 objects cannot grow, so it consists of a multipart upload, and of an object for the last bytes, which are too few
 * for a part. A writer continues by an update of this row that expects the size it knows, so that one of several concurrent writers succeeds.
 */
export interface S3AppendDocument {
  _id: string;
  /** The bytes that are durably stored. */
  size: number;
  upload_id?: string;
  /** The parts of the blob, in order. The upload may have other parts, of writers that lost. */
  parts: { number: number; etag: string }[];
  /** The number of the next part. Each writer gets a different one, because a part with the same number would replace the other. */
  next_part: number;
  /** The bytes after the last part. */
  tail?: { key: string; bytes: number };
  /** The keys of all tail objects that may exist. */
  tail_keys: string[];
  sealed?: true;
  /** The blob is being deleted, and no writer can continue. */
  removed?: true;
}

const appends = (db: Db) => db.collection<S3AppendDocument>('s3_appends');

export async function beginAppend(db: Db, blobId: string): Promise<void> {
  await appends(db).updateOne({ _id: blobId }, { $setOnInsert: { size: 0, parts: [], next_part: 1, tail_keys: [] } }, { upsert: true });
}

export async function findAppend(db: Db, blobId: string): Promise<S3AppendDocument | null> {
  return appends(db).findOne({ _id: blobId });
}

/** Updates the row of a blob that ends at `size`. Returns null if it does not, or is sealed or being deleted. */
export async function advanceAppend(
  db: Db,
  blobId: string,
  size: number,
  update: UpdateFilter<S3AppendDocument>,
  where: Filter<S3AppendDocument> = {},
): Promise<S3AppendDocument | null> {
  const mine = { _id: blobId, size, sealed: { $exists: false }, removed: { $exists: false }, ...where };
  return appends(db).findOneAndUpdate(mine, update, { returnDocument: 'after' });
}

/** Returns null if there is no such row, or the blob is being deleted. */
export async function sealAppend(db: Db, blobId: string): Promise<S3AppendDocument | null> {
  const live = { _id: blobId, removed: { $exists: false } };
  // Also reserves the number of the last part.
  return appends(db).findOneAndUpdate(live, { $set: { sealed: true }, $inc: { next_part: 1 } }, { returnDocument: 'before' });
}

/** Stops all writers. Returns null if there is no such row. */
export async function stopAppend(db: Db, blobId: string): Promise<S3AppendDocument | null> {
  return appends(db).findOneAndUpdate({ _id: blobId }, { $set: { removed: true } }, { returnDocument: 'after' });
}

export async function forgetTail(db: Db, blobId: string, key: string): Promise<void> {
  await appends(db).updateOne({ _id: blobId }, { $pull: { tail_keys: key } });
}

export async function forgetAppend(db: Db, blobId: string): Promise<void> {
  await appends(db).deleteOne({ _id: blobId });
}
