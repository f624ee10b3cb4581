import { connectMongo } from '@fanfare/mongo';
import { testInfrastructure } from '@fanfare/testing';
import type { BlobStore } from '../src/store/blobs/blob-store.ts';
import { createGridFs, createGridFsIndexes } from '../src/store/blobs/grid-fs.ts';

export interface StoreUnderTest {
  readonly store: BlobStore;
  /** The same store, as another process has it. */
  replica(): BlobStore;
  /** What there is of a blob beside its finished bytes. */
  remains(blobId: string): Promise<{ unfinished: number }>;
  stop(): Promise<void>;
}

/** Both kinds of stores, for tests that must hold over each. */
export const STORES: Readonly<Record<string, () => Promise<StoreUnderTest>>> = { gridFs };

async function gridFs(): Promise<StoreUnderTest> {
  const { mongoUrl: url, database } = testInfrastructure();
  const [mongo, other] = [await connectMongo({ url, database, service: 'test' }), await connectMongo({ url, database, service: 'test' })];
  await createGridFsIndexes(mongo.db);
  return {
    store: createGridFs(mongo.db),
    replica: () => createGridFs(other.db),
    async remains(blobId) {
      const file = await mongo.db.collection<{ _id: string; length: number }>('blobs.files').findOne({ _id: blobId });
      const chunks = await mongo.db.collection('blobs.chunks').countDocuments({ files_id: blobId });
      return { unfinished: chunks - Math.ceil((file?.length ?? 0) / (1024 * 1024)) };
    },
    async stop() {
      await mongo.db.dropDatabase();
      await Promise.all([mongo.close(), other.close()]);
    },
  };
}
