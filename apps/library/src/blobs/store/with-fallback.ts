import { Readable } from 'node:stream';
import type { BlobStore } from './blob-store.ts';

/**
 * A store for the time in which blobs are moved from an old store to a new one. New blobs go to the new one. Blobs of the old store are read from it
 * until the fallback is removed, so that an incomplete copy is never read, and uploads that started there end there.
 */
export function withFallback(store: BlobStore, old: BlobStore): BlobStore {
  const storeOf = async (blobId: string): Promise<BlobStore> => ((await old.size(blobId)) === undefined ? store : old);

  return {
    name: store.name,
    async write(blobId, source, options) {
      if ((await storeOf(blobId)) === old) throw new Error(`Blob ${blobId} already exists.`);
      return store.write(blobId, source, options);
    },
    append: async (blobId, offset, source) => (await storeOf(blobId)).append(blobId, offset, source),
    seal: async (blobId) => (await storeOf(blobId)).seal(blobId),
    size: async (blobId) => (await storeOf(blobId)).size(blobId),
    read: (blobId, start, end) => Readable.from(bytesOf(blobId, start, end), { objectMode: false }),
    async remove(blobId) {
      await old.remove(blobId);
      await store.remove(blobId);
    },
    presign: async (blobId, options) => ((await storeOf(blobId)) === old ? undefined : store.presign?.(blobId, options)),
    close() {
      store.close();
      old.close();
    },
  };

  async function* bytesOf(blobId: string, start: number, end: number): AsyncGenerator<Buffer> {
    yield* (await storeOf(blobId)).read(blobId, start, end) as AsyncIterable<Buffer>;
  }
}
