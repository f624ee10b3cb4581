import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GridFSBucket, type Binary, type Db } from 'mongodb';

/** Where the bytes are kept: GridFS. A blob is written once, under an id of its own, and never changed. */
export interface Blobs {
  /** Copies a file in and answers with the SHA-256 of what was copied, in hex. Takes no longer than `timeoutMs`. */
  write(blobId: string, file: string, timeoutMs: number): Promise<{ sha256: string; sizeBytes: number }>;
  /** Bytes `start` to `end`, both included; holds no more than a few chunks in memory. Destroying the stream frees what it holds. */
  read(blobId: string, start: number, end: number): Readable;
  /** Removes it, or what there is of one that was never finished. */
  remove(blobId: string): Promise<void>;
}

const BUCKET = 'blobs';
const CHUNK_BYTES = 1024 * 1024;
/** Chunks asked for at a time. */
const READ_BATCH = 2;

export function createBlobs(db: Db): Blobs {
  const bucket = new GridFSBucket(db, { bucketName: BUCKET, chunkSizeBytes: CHUNK_BYTES });
  return {
    async write(blobId, file, timeoutMs) {
      const hash = createHash('sha256');
      let sizeBytes = 0;
      const count = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk);
          sizeBytes += chunk.length;
          done(null, chunk);
        },
      });
      const upload = bucket.openUploadStreamWithId(blobId as never, blobId);
      await pipeline([createReadStream(file), count, upload], { signal: AbortSignal.timeout(timeoutMs) });
      return { sha256: hash.digest('hex'), sizeBytes };
    },

    read: (blobId, start, end) => Readable.from(chunksOf(db, blobId, start, end), { objectMode: false }),

    async remove(blobId) {
      await db.collection<{ _id: string }>(`${BUCKET}.files`).deleteOne({ _id: blobId });
      await chunks(db).deleteMany({ files_id: blobId });
    },
  };
}

/** GridFS's own layout: https://github.com/mongodb/specifications/blob/master/source/gridfs/gridfs-spec.md */
const chunks = (db: Db) => db.collection<{ files_id: string; n: number; data: Binary }>(`${BUCKET}.chunks`);

/** The driver's own download stream cannot be told a batch size: a reader that stalls would hold 16 MiB of memory each. */
async function* chunksOf(db: Db, blobId: string, start: number, end: number): AsyncGenerator<Buffer> {
  const [first, last] = [Math.floor(start / CHUNK_BYTES), Math.floor(end / CHUNK_BYTES)];
  const cursor = chunks(db)
    .find({ files_id: blobId, n: { $gte: first, $lte: last } }, { batchSize: READ_BATCH })
    .sort({ n: 1 });
  let expected = first;
  // Leaving the loop, early or not, closes the cursor.
  for await (const { n, data } of cursor) {
    if (n !== expected++) break;
    const offset = n * CHUNK_BYTES;
    yield Buffer.from(data.buffer.subarray(Math.max(0, start - offset), Math.min(data.length(), end + 1 - offset)));
  }
  if (expected !== last + 1) throw new Error(`Blob ${blobId} lacks chunk ${expected}.`);
}
