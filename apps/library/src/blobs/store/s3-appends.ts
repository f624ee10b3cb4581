import type { Db, Filter, UpdateFilter } from 'mongodb';

/**
 * A blob on S3 that is not sealed yet: objects cannot grow, so that it is an upload in parts, and an object of its own for the rest that is too
 * small for a part. A writer gets on by a write on this row that expects the size which it knows: one of several wins.
 */
export interface S3AppendDocument {
  _id: string;
  /** Bytes stored for good. */
  size: number;
  upload_id?: string;
  /** Those that make up the beginning, in their order; others of the upload are of writers that lost. */
  parts: { number: number; etag: string }[];
  /** Each writer takes a number of its own: a part of the same number would replace another's. */
  next_part: number;
  /** The bytes after the last part. */
  tail?: { key: string; bytes: number };
  /** Every object that there may be of it. */
  tail_keys: string[];
  sealed?: true;
  /** Being removed: nobody gets on any more. */
  removed?: true;
}

const appends = (db: Db) => db.collection<S3AppendDocument>('s3_appends');

export async function beginAppend(db: Db, blobId: string): Promise<void> {
  await appends(db).updateOne({ _id: blobId }, { $setOnInsert: { size: 0, parts: [], next_part: 1, tail_keys: [] } }, { upsert: true });
}

export async function findAppend(db: Db, blobId: string): Promise<S3AppendDocument | null> {
  return appends(db).findOne({ _id: blobId });
}

/** Changes the row of a blob that still ends at `size`; null when it does not. */
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

/** Null when there is no such blob, or it is being removed. */
export async function sealAppend(db: Db, blobId: string): Promise<S3AppendDocument | null> {
  const live = { _id: blobId, removed: { $exists: false } };
  // The number of the last part is taken in the same write.
  return appends(db).findOneAndUpdate(live, { $set: { sealed: true }, $inc: { next_part: 1 } }, { returnDocument: 'before' });
}

/** Stops all writers. Null when there is no such blob. */
export async function stopAppend(db: Db, blobId: string): Promise<S3AppendDocument | null> {
  return appends(db).findOneAndUpdate({ _id: blobId }, { $set: { removed: true } }, { returnDocument: 'after' });
}

export async function forgetTail(db: Db, blobId: string, key: string): Promise<void> {
  await appends(db).updateOne({ _id: blobId }, { $pull: { tail_keys: key } });
}

export async function forgetAppend(db: Db, blobId: string): Promise<void> {
  await appends(db).deleteOne({ _id: blobId });
}
