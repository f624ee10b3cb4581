import { Readable } from 'node:stream';
import { transaction } from '@fanfare/mongo';
import { currentTime, freeBuffers } from '@fanfare/runtime';
import type { Binary, ClientSession, Db, ObjectId } from 'mongodb';
import { batchesOf } from './batches-of.ts';
import { OffsetConflict, type BlobStore } from './blob-store.ts';
import { untilAborted } from './until-aborted.ts';

/** GridFS's own layout, so that any GridFS tool reads it: https://github.com/mongodb/specifications/blob/master/source/gridfs/gridfs-spec.md */
interface FileDocument {
  _id: string;
  /** Bytes stored for good: written together with their chunks. */
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
/** Written in one transaction. */
const BATCH_BYTES = 4 * CHUNK_BYTES;
/** Chunks asked for at a time: one is sent while the next one comes. More is hardly faster, and each reader that stalls would hold them. */
const READ_BATCH = 1;
/** Chunks read. */
const FREE_EVERY = 4;

const files = (db: Db) => db.collection<FileDocument>('blobs.files');
const chunks = (db: Db) => db.collection<ChunkDocument>('blobs.chunks');

export async function createGridFsIndexes(db: Db): Promise<void> {
  await files(db).createIndex({ filename: 1, uploadDate: 1 });
  await chunks(db).createIndex({ files_id: 1, n: 1 }, { unique: true });
  // Those of a time when nothing could be appended.
  await files(db).updateMany({ metadata: { $exists: false } }, { $set: { 'metadata.sealed': true } });
}

/** Blobs that somebody may still append to. */
export async function countUnsealed(db: Db): Promise<number> {
  return files(db).countDocuments({ 'metadata.sealed': { $exists: false } });
}

/** Blobs in the service's own database. */
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
      // Only the first batch may have to fill up a chunk that an earlier append began.
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
 * Stores a batch and what it makes the length, together: chunks of a writer that lost, or whose blob was removed, are never there. At the end of
 * an append the last chunk is short; the next one puts a longer chunk with the same beginning in its place.
 */
async function advance(db: Db, blobId: string, size: number, batch: Buffer): Promise<void> {
  await transaction(db.client, async (session) => {
    const mine = { _id: blobId, length: size, 'metadata.sealed': { $exists: false } };
    const { matchedCount } = await files(db).updateOne(mine, { $inc: { length: batch.length } }, { session });
    if (matchedCount === 0) return expectEnd(db, blobId, size, session);

    const first = Math.floor(size / CHUNK_BYTES);
    const begun = size % CHUNK_BYTES;
    const bytes = begun === 0 ? batch : Buffer.concat([await takeChunk(db, blobId, first, begun, session), batch]);
    const rows = [];
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      rows.push({ files_id: blobId, n: first + at / CHUNK_BYTES, data: bytes.subarray(at, at + CHUNK_BYTES) });
    }
    await chunks(db).insertMany(rows as unknown as ChunkDocument[], { session });
  });
  freeBuffers();
}

async function takeChunk(db: Db, blobId: string, n: number, expectedBytes: number, session: ClientSession): Promise<Buffer> {
  const chunk = await chunks(db).findOneAndDelete({ files_id: blobId, n }, { session });
  if (chunk?.data.length() !== expectedBytes) throw new Error(`Blob ${blobId} has no chunk ${n}.`);
  return bytesOf(chunk.data);
}

/** The driver's own download stream cannot be told a batch size: a reader that stalls would hold 16 MiB of memory each. */
async function* chunksOf(db: Db, blobId: string, start: number, end: number): AsyncGenerator<Buffer> {
  const [first, last] = [Math.floor(start / CHUNK_BYTES), Math.floor(end / CHUNK_BYTES)];
  const cursor = chunks(db)
    .find({ files_id: blobId, n: { $gte: first, $lte: last } }, { batchSize: READ_BATCH, projection: { _id: 0, n: 1, data: 1 } })
    .sort({ n: 1 });
  try {
    let coming = cursor.next();
    for (let expected = first; expected <= last; expected++) {
      const chunk = await coming;
      const offset = expected * CHUNK_BYTES;
      if (chunk?.n !== expected || chunk.data.length() < Math.min(CHUNK_BYTES, end + 1 - offset)) {
        throw new Error(`Blob ${blobId} has no chunk ${expected}.`);
      }
      // The database reads on while these bytes are sent.
      if (expected < last) coming = ahead(cursor.next());
      if (expected % FREE_EVERY === 0) freeBuffers();
      yield bytesOf(chunk.data).subarray(Math.max(0, start - offset), end + 1 - offset);
    }
  } finally {
    await cursor.close();
  }
}

/** Whoever gives up before it is here does not hear of its failure. */
function ahead<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Not copied. */
function bytesOf(data: Binary): Buffer {
  const { buffer, byteOffset, byteLength } = data.value();
  return Buffer.from(buffer, byteOffset, byteLength);
}
