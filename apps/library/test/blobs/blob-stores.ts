import { connectMongo } from '@fanfare/mongo';
import { testInfrastructure } from '@fanfare/testing';
import type { BlobStore } from '../../src/blobs/store/blob-store.ts';
import { openBucket } from '../../src/blobs/store/s3-bucket.ts';
import { createS3 } from '../../src/blobs/store/s3.ts';
import { startS3 } from './start-s3.ts';
import { createGridFs, createGridFsIndexes } from '../../src/blobs/store/grid-fs.ts';

export interface StoreUnderTest {
  readonly store: BlobStore;
  /** The same store in another process. */
  replica(): BlobStore;
  /** The number of stored items of a blob that are not its finished bytes. */
  remains(blobId: string): Promise<{ unfinished: number }>;
  stop(): Promise<void>;
}

/** Both kinds of stores, for tests that run with each. */
export const STORES: Readonly<Record<string, () => Promise<StoreUnderTest>>> = { gridFs, s3 };

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

async function s3(): Promise<StoreUnderTest> {
  const { mongoUrl: url, database } = testInfrastructure();
  const mongo = await connectMongo({ url, database, service: 'test' });
  const server = await startS3();
  const buckets = [openBucket(server.settings), openBucket(server.settings)] as const;
  return {
    store: createS3(mongo.db, buckets[0]),
    replica: () => createS3(mongo.db, buckets[1]),
    async remains(blobId) {
      const rows = await mongo.db.collection<{ _id: string }>('s3_appends').find({ _id: blobId }).toArray();
      const beside = (await server.objects()).filter((key) => key.startsWith(`${blobId}.`));
      // An upload without a row would never be deleted.
      const uploads = (await mongo.db.collection('s3_appends').countDocuments()) === 0 ? await server.uploads() : 0;
      return { unfinished: rows.length + beside.length + uploads };
    },
    async stop() {
      for (const bucket of buckets) bucket.close();
      await mongo.db.dropDatabase();
      await mongo.close();
      await server.stop();
    },
  };
}
