import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Db } from 'mongodb';
import { beginAppend, findAppend, forgetAppend, sealAppend, stopAppend, type S3AppendDocument } from './s3-appends.ts';
import { batchesOf } from './batches-of.ts';
import { OffsetConflict, type BlobStore, type Bytes } from './blob-store.ts';
import { addPart, addTail } from './s3-advance.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { untilAborted } from './until-aborted.ts';

/** S3 permits parts of at least 5 MiB, except the last one, and at most 10,000 parts: this size permits 80 GiB. */
const PART_BYTES = 8 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);

/** Stores blobs as S3 objects whose key is the blob's id. A blob that is not sealed has a row in the database of the service. */
export function createS3(db: Db, bucket: S3Bucket): BlobStore {
  const store: BlobStore = {
    name: 's3',

    async write(blobId, source, { signal } = {}) {
      const batches = batchesOf(untilAborted(source, signal), PART_BYTES);
      const first = await batches.next();
      const begin = first.done === true ? NOTHING : first.value;
      if (begin.length === PART_BYTES) {
        await store.append(blobId, 0, all(begin, batches));
        return store.seal(blobId);
      }
      // A short first batch is the whole source, unless the source failed: then this throws its error.
      await batches.next();
      const size = await store.size(blobId);
      if (size !== undefined) throw new OffsetConflict(blobId, 0, size, true);
      await bucket.put(blobId, begin);
      return begin.length;
    },

    async append(blobId, offset, source) {
      const row = await rowAt(blobId, offset);
      let kept = row.tail ? await buffer(await bucket.get(row.tail.key)) : NOTHING;
      let size = offset;
      for await (const batch of batchesOf(source, PART_BYTES, PART_BYTES - kept.length)) {
        const body = kept.length === 0 ? batch : Buffer.concat([kept, batch]);
        const at = { blobId, size, newSize: size + batch.length };
        const advanced = await (body.length === PART_BYTES ? addPart : addTail)(db, bucket, at, body);
        if (!advanced) throw await offsetConflict(blobId, size);
        kept = NOTHING;
        size = at.newSize;
      }
      return size;
    },

    async seal(blobId) {
      const row = await sealAppend(db, blobId);
      if (row) await finish(row);
      const size = await bucket.size(blobId);
      if (size === undefined) throw new Error(`Cannot seal blob ${blobId}: it does not exist.`);
      if (row && size !== row.size) throw new Error(`Blob ${blobId} has only ${size} of ${row.size} bytes.`);
      if (row) await forget(row);
      return size;
    },

    async size(blobId) {
      const row = await findAppend(db, blobId);
      return row ? row.size : bucket.size(blobId);
    },

    read: (blobId, start, end) => Readable.from(end < start ? [] : bytesOf(blobId, start, end), { objectMode: false }),

    async remove(blobId) {
      const row = await stopAppend(db, blobId);
      if (row?.upload_id !== undefined) await bucket.dropParts(blobId, row.upload_id);
      await bucket.remove(blobId);
      if (row) await forget(row);
    },

    presign: (blobId, options) => bucket.presign(blobId, options),
    close: () => bucket.close(),
  };
  return store;

  async function rowAt(blobId: string, offset: number): Promise<S3AppendDocument> {
    let row = await findAppend(db, blobId);
    if (!row && offset === 0 && (await bucket.size(blobId)) === undefined) {
      await beginAppend(db, blobId);
      row = await findAppend(db, blobId);
    }
    if (row?.size !== offset || row.sealed === true || row.removed === true) throw await offsetConflict(blobId, offset);
    return row;
  }

  async function offsetConflict(blobId: string, offset: number): Promise<OffsetConflict> {
    const row = await findAppend(db, blobId);
    if (row) return new OffsetConflict(blobId, offset, row.removed ? undefined : row.size, row.sealed === true);
    const size = await bucket.size(blobId);
    return new OffsetConflict(blobId, offset, size, size !== undefined);
  }

  /** Makes one object of the parts and the tail. Another process may have done that already, or be doing it. */
  async function finish({ _id: blobId, upload_id: uploadId, parts, tail, next_part: number }: S3AppendDocument): Promise<void> {
    if ((await bucket.size(blobId)) !== undefined) return;
    try {
      const rest = tail ? await buffer(await bucket.get(tail.key)) : NOTHING;
      if (uploadId === undefined || parts.length === 0) return await bucket.put(blobId, rest);
      const last = tail ? [await bucket.putPart(blobId, uploadId, number, rest)] : [];
      await bucket.joinParts(blobId, uploadId, [...parts, ...last]);
    } catch (error) {
      if ((await bucket.size(blobId)) === undefined) throw error;
    }
  }

  async function forget({ _id: blobId, upload_id: uploadId, parts, tail_keys }: S3AppendDocument): Promise<void> {
    for (const key of tail_keys) await bucket.remove(key);
    if (uploadId !== undefined && parts.length === 0) await bucket.dropParts(blobId, uploadId);
    await forgetAppend(db, blobId);
  }

  async function* bytesOf(blobId: string, start: number, end: number): AsyncGenerator<Buffer> {
    const body = await bucket.get(blobId, { start, end });
    let missing = end + 1 - start;
    // Leaving the loop closes the connection.
    for await (const piece of body as AsyncIterable<Buffer>) {
      yield piece.length > missing ? piece.subarray(0, missing) : piece;
      missing -= Math.min(missing, piece.length);
      if (missing === 0) break;
    }
    if (missing > 0) throw new Error(`The last ${missing} bytes of blob ${blobId} are missing.`);
  }
}

async function* all(first: Buffer, rest: Bytes): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}
