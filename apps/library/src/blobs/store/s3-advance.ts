import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { advanceAppend, findAppend, forgetTail } from './s3-appends.ts';
import type { S3Bucket } from './s3-bucket.ts';

/** A blob that ends at `size`, and where it will end. */
export interface Step {
  readonly blobId: string;
  readonly size: number;
  readonly newSize: number;
}

/** Stores a part, which takes in the tail. Returns false when the blob no longer ends where it did: then nothing has changed. */
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

/** Stores what is too small for a part, in place of the tail before it. Answers as `addPart` does. */
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

/** The upload in parts, begun when there is none. Undefined when the blob no longer ends there. */
async function uploadOf(db: Db, bucket: S3Bucket, blobId: string, size: number): Promise<string | undefined> {
  const row = await findAppend(db, blobId);
  if (row?.upload_id !== undefined) return row.upload_id;
  const uploadId = await bucket.beginParts(blobId);
  const mine = await advanceAppend(db, blobId, size, { $set: { upload_id: uploadId } }, { upload_id: { $exists: false } });
  if (mine) return uploadId;
  await bucket.dropParts(blobId, uploadId);
  return (await findAppend(db, blobId))?.upload_id;
}

/** Undefined when it failed because the blob was sealed or removed meanwhile. */
async function stillAt<T>(db: Db, blobId: string, size: number, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((await advanceAppend(db, blobId, size, { $set: { size } })) !== null) throw error;
    return undefined;
  }
}

/** Should it fail, the blob's end sees to it. */
async function dropTail(db: Db, bucket: S3Bucket, blobId: string, key: string): Promise<void> {
  await bucket.remove(key).then(
    () => forgetTail(db, blobId, key),
    () => undefined,
  );
}
