import { Readable } from 'node:stream';
import type { BlobStore } from './blob-store.ts';

/**
 * The new store while blobs move to it from an old one. New blobs begin in the new one. What the old one has is read there until it is forsaken,
 * so that a copy that is under way is never read, and an upload that began there ends there.
 */
export function withFallback(store: BlobStore, old: BlobStore): BlobStore {
  const holderOf = async (blobId: string): Promise<BlobStore> => ((await old.size(blobId)) === undefined ? store : old);

  return {
    name: store.name,
    async write(blobId, source, options) {
      if ((await holderOf(blobId)) === old) throw new Error(`Blob ${blobId} already exists.`);
      return store.write(blobId, source, options);
    },
    append: async (blobId, offset, source) => (await holderOf(blobId)).append(blobId, offset, source),
    seal: async (blobId) => (await holderOf(blobId)).seal(blobId),
    size: async (blobId) => (await holderOf(blobId)).size(blobId),
    read: (blobId, start, end) => Readable.from(bytesOf(blobId, start, end), { objectMode: false }),
    async remove(blobId) {
      await old.remove(blobId);
      await store.remove(blobId);
    },
    presign: async (blobId, options) => ((await holderOf(blobId)) === old ? undefined : store.presign?.(blobId, options)),
    close() {
      store.close();
      old.close();
    },
  };

  async function* bytesOf(blobId: string, start: number, end: number): AsyncGenerator<Buffer> {
    yield* (await holderOf(blobId)).read(blobId, start, end) as AsyncIterable<Buffer>;
  }
}
