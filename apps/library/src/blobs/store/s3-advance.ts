import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { advanceAppend, findAppend, forgetTail } from './s3-appends.ts';
import type { S3Bucket } from './s3-bucket.ts';

/** An append to a blob: its current and its new size. */
export interface Step {
  readonly blobId: string;
  readonly size: number;
  readonly newSize: number;
}

/** Adds a part, which includes the bytes of the previous tail. Returns false, without a change, if the blob no longer ends at `size`. */
export async function addPart(db: Db, bucket: S3Bucket, { blobId, size, newSize }: Step, body: Buffer): Promise<boolean> {
  const uploadId = await uploadOf(db, bucket, blobId, size);
  const reserved = uploadId !== undefined && (await advanceAppend(db, blobId, size, { $inc: { next_part: 1 } }));
  if (!reserved) return false;
  const part = await stillAt(db, blobId, size, bucket.putPart(blobId, uploadId, reserved.next_part - 1, body));
  if (!part) return false;
  const advanced = await advanceAppend(db, blobId, size, {
    $set: { size: newSize },
    $push: { parts: { ...part } },
    $unset: { tail: true },
  });
  if (advanced && reserved.tail) await dropTail(db, bucket, blobId, reserved.tail.key);
  return advanced !== null;
}

/** Replaces the tail: the bytes that are too few for a part. Returns the same as `addPart`. */
export async function addTail(db: Db, bucket: S3Bucket, { blobId, size, newSize }: Step, body: Buffer): Promise<boolean> {
  const key = `${blobId}.tail-${randomUUID()}`;
  const noted = await advanceAppend(db, blobId, size, { $push: { tail_keys: key } });
  if (!noted) return false;
  await bucket.put(key, body);
  const advanced = await advanceAppend(db, blobId, size, { $set: { size: newSize, tail: { key, bytes: body.length } } });
  if (!advanced) await dropTail(db, bucket, blobId, key);
  else if (noted.tail) await dropTail(db, bucket, blobId, noted.tail.key);
  return advanced !== null;
}

/** The multipart upload of a blob; starts it if there is none. Undefined if the blob no longer ends at `size`. */
async function uploadOf(db: Db, bucket: S3Bucket, blobId: string, size: number): Promise<string | undefined> {
  const row = await findAppend(db, blobId);
  if (row?.upload_id !== undefined) return row.upload_id;
  const uploadId = await bucket.beginParts(blobId);
  const mine = await advanceAppend(db, blobId, size, { $set: { upload_id: uploadId } }, { upload_id: { $exists: false } });
  if (mine) return uploadId;
  await bucket.dropParts(blobId, uploadId);
  return (await findAppend(db, blobId))?.upload_id;
}

/** The result of `work`. Undefined if it failed because the blob was sealed or deleted in the meantime. */
async function stillAt<T>(db: Db, blobId: string, size: number, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((await advanceAppend(db, blobId, size, { $set: { size } })) !== null) throw error;
    return undefined;
  }
}

/** If this fails, the object is deleted when the blob is sealed or deleted. */
async function dropTail(db: Db, bucket: S3Bucket, blobId: string, key: string): Promise<void> {
  await bucket.remove(key).then(
    () => forgetTail(db, blobId, key),
    () => undefined,
  );
}
