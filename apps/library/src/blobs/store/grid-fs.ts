import { Readable } from 'node:stream';
import { transaction } from '@fanfare/mongo';
import { currentTime, freeBuffers } from '@fanfare/runtime';
import type { Binary, ClientSession, Db, ObjectId } from 'mongodb';
import { batchesOf } from './batches-of.ts';
import { OffsetConflict, type BlobStore } from './blob-store.ts';
import { untilAborted } from './until-aborted.ts';

/** The standard layout of GridFS, so that any GridFS tool can read it: https://github.com/mongodb/specifications/blob/master/source/gridfs/gridfs-spec.md */
interface FileDocument {
  _id: string;
  /** The bytes that are durably stored; written in the transaction that writes their chunks. */
  length: number;
  chunkSize: number;
  uploadDate: Date;
  metadata?: { sealed?: true };
}

interface ChunkDocument {
  _id: ObjectId;
  files_id: string;
  n: number;
  data: Binary;
}

const CHUNK_BYTES = 1024 * 1024;
/** Size of one transaction. */
const BATCH_BYTES = 4 * CHUNK_BYTES;
/** Chunks to read at a time: the next one is read while one is sent. More are hardly faster, and would stay in memory for each slow reader. */
const READ_BATCH = 1;
/** After how many chunks buffers are freed. */
const FREE_EVERY = 4;

const files = (db: Db) => db.collection<FileDocument>('blobs.files');
const chunks = (db: Db) => db.collection<ChunkDocument>('blobs.chunks');

export async function createGridFsIndexes(db: Db): Promise<void> {
  await files(db).createIndex({ filename: 1, uploadDate: 1 });
  await chunks(db).createIndex({ files_id: 1, n: 1 }, { unique: true });
  // Blobs of versions that could not append.
  await files(db).updateMany({ metadata: { $exists: false } }, { $set: { 'metadata.sealed': true } });
}

/** The number of blobs that are not sealed. */
export async function countUnsealed(db: Db): Promise<number> {
  return files(db).countDocuments({ 'metadata.sealed': { $exists: false } });
}

/** Stores blobs in the database of the service. */
export function createGridFs(db: Db): BlobStore {
  const store: BlobStore = {
    name: 'grid-fs',

    async write(blobId, source, { signal } = {}) {
      await store.append(blobId, 0, untilAborted(source, signal));
      return store.seal(blobId);
    },

    async append(blobId, offset, source) {
      if (offset === 0) await begin(db, blobId);
      await expectEnd(db, blobId, offset);
      let size = offset;
      // The first batch completes the last chunk of an earlier append.
      for await (const batch of batchesOf(source, BATCH_BYTES, BATCH_BYTES - (offset % CHUNK_BYTES))) {
        await advance(db, blobId, size, batch);
        size += batch.length;
      }
      return size;
    },

    async seal(blobId) {
      const sealed = await files(db).findOneAndUpdate({ _id: blobId }, { $set: { 'metadata.sealed': true } }, { returnDocument: 'after' });
      if (!sealed) throw new Error(`Cannot seal blob ${blobId}: it does not exist.`);
      return sealed.length;
    },

    size: async (blobId) => (await files(db).findOne({ _id: blobId }))?.length,

    read: (blobId, start, end) => Readable.from(end < start ? [] : chunksOf(db, blobId, start, end), { objectMode: false }),

    async remove(blobId) {
      await files(db).deleteOne({ _id: blobId });
      await chunks(db).deleteMany({ files_id: blobId });
    },

    close: () => undefined,
  };
  return store;
}

async function begin(db: Db, blobId: string): Promise<void> {
  const empty = { length: 0, chunkSize: CHUNK_BYTES, uploadDate: currentTime(), metadata: {} };
  await files(db).updateOne({ _id: blobId }, { $setOnInsert: empty }, { upsert: true });
}

async function expectEnd(db: Db, blobId: string, offset: number, session?: ClientSession): Promise<void> {
  const file = await files(db).findOne({ _id: blobId }, session && { session });
  const isSealed = file?.metadata?.sealed === true;
  if (file?.length !== offset || isSealed) throw new OffsetConflict(blobId, offset, file?.length, isSealed);
}

/**
 * Stores a batch and the new length in one transaction, so that a writer that lost, or whose blob was deleted, leaves no chunks. The last chunk of an
 * append may be short; the next append replaces it by a longer one.
 */
async function advance(db: Db, blobId: string, size: number, batch: Buffer): Promise<void> {
  await transaction(db.client, async (session) => {
    const expected = { _id: blobId, length: size, 'metadata.sealed': { $exists: false } };
    const { matchedCount } = await files(db).updateOne(expected, { $inc: { length: batch.length } }, { session });
    if (matchedCount === 0) return expectEnd(db, blobId, size, session);

    const first = Math.floor(size / CHUNK_BYTES);
    const begun = size % CHUNK_BYTES;
    const bytes = begun === 0 ? batch : Buffer.concat([await removeChunk(db, blobId, first, begun, session), batch]);
    const rows = [];
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      rows.push({ files_id: blobId, n: first + at / CHUNK_BYTES, data: bytes.subarray(at, at + CHUNK_BYTES) });
    }
    await chunks(db).insertMany(rows as unknown as ChunkDocument[], { session });
  });
  freeBuffers();
}

async function removeChunk(db: Db, blobId: string, n: number, expectedBytes: number, session: ClientSession): Promise<Buffer> {
  const chunk = await chunks(db).findOneAndDelete({ files_id: blobId, n }, { session });
  if (chunk?.data.length() !== expectedBytes) throw new Error(`Blob ${blobId} has no chunk ${n}.`);
  return bytesOf(chunk.data);
}

/** Not by the driver's download stream: its batch size cannot be set, so that each slow reader would use 16 MiB of memory. */
async function* chunksOf(db: Db, blobId: string, start: number, end: number): AsyncGenerator<Buffer> {
  const [first, last] = [Math.floor(start / CHUNK_BYTES), Math.floor(end / CHUNK_BYTES)];
  const cursor = chunks(db)
    .find({ files_id: blobId, n: { $gte: first, $lte: last } }, { batchSize: READ_BATCH, projection: { _id: 0, n: 1, data: 1 } })
    .sort({ n: 1 });
  try {
    let nextChunk = cursor.next();
    for (let expected = first; expected <= last; expected++) {
      const chunk = await nextChunk;
      const offset = expected * CHUNK_BYTES;
      if (chunk?.n !== expected || chunk.data.length() < Math.min(CHUNK_BYTES, end + 1 - offset)) {
        throw new Error(`Blob ${blobId} has no chunk ${expected}.`);
      }
      // Reads the next chunk while these bytes are sent.
      if (expected < last) nextChunk = ahead(cursor.next());
      if (expected % FREE_EVERY === 0) freeBuffers();
      yield bytesOf(chunk.data).subarray(Math.max(0, start - offset), end + 1 - offset);
    }
  } finally {
    await cursor.close();
  }
}

/** Prevents an unhandled rejection if the reader stops before it awaits the promise. */
function ahead<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Does not copy the bytes. */
function bytesOf(data: Binary): Buffer {
  const { buffer, byteOffset, byteLength } = data.value();
  return Buffer.from(buffer, byteOffset, byteLength);
}
