import { randomBytes } from 'node:crypto';
import { connectMongo, type Mongo } from '@fanfare/mongo';
import { newId, createLogger } from '@fanfare/runtime';
import { testInfrastructure } from '@fanfare/testing';
import { moveBlobs } from '../../src/blobs/move-blobs.ts';
import type { BlobStore } from '../../src/blobs/store/blob-store.ts';
import { createGridFs } from '../../src/blobs/store/grid-fs.ts';
import { openBucket } from '../../src/blobs/store/s3-bucket.ts';
import { createS3 } from '../../src/blobs/store/s3.ts';
import { aJpeg, mediaOf, startLibrary, type TestLibrary } from '../start-library.ts';
import { startS3, type TestS3 } from './start-s3.ts';

const log = createLogger('test', 'silent');
const { mongoUrl, database } = testInfrastructure();
let s3: TestS3;
let mongo: Mongo;
let gridFs: BlobStore;
let bucket: BlobStore;
const urls: [string, Buffer][] = [];

beforeAll(async () => {
  s3 = await startS3();
  mongo = await connectMongo({ url: mongoUrl, database, service: 'test' });
  gridFs = createGridFs(mongo.db);
  bucket = createS3(mongo.db, openBucket(s3.settings));
  const before = await startLibrary({ database });
  for (const size of [50, 100, 150]) await upload(before, await aJpeg(size, size));
  await before.stop();
});
afterAll(async () => {
  bucket.close();
  await mongo.db.dropDatabase();
  await mongo.close();
  await s3.stop();
});

async function upload(library: TestLibrary, bytes: Buffer): Promise<void> {
  const media = await mediaOf(await library.upload(newId(), new Uint8Array(bytes)));
  urls.push([media['url'] ?? '', bytes]);
}

async function expectAllServed(library: TestLibrary): Promise<void> {
  for (const [url, bytes] of urls) {
    const response = await fetch(library.local(url));
    expect([response.status, Buffer.from(await response.arrayBuffer()).equals(bytes)]).toEqual([200, true]);
  }
}

test('blobs move from GridFS to S3 while the library serves', async () => {
  const { db } = mongo;
  const inGridFs = await db.collection('blobs.files').countDocuments();
  const move = () => moveBlobs({ db, from: gridFs, to: bucket, log });
  const onS3 = (fallback: 'grid-fs' | undefined) =>
    startLibrary({ database, config: { blobs: { s3: s3.settings, presign: false, fallback } } });

  const during = await onS3('grid-fs');
  await expectAllServed(during);
  await upload(during, await aJpeg(200, 200));
  expect(await s3.objects()).not.toEqual([]);
  expect(await db.collection('blobs.files').countDocuments()).toBe(inGridFs);

  // An upload that started in GridFS ends there.
  const [begun, bytes] = [newId(), randomBytes(2000)];
  await gridFs.append(begun, 0, pieces(bytes.subarray(0, 1000)));
  await during.context.blobs.append(begun, 1000, pieces(bytes.subarray(1000)));
  expect(await gridFs.size(begun)).toBe(2000);

  // A move that was killed in the middle of a blob. The blob is still served.
  const [first] = await db
    .collection<{ _id: string; size_bytes: number }>('blobs')
    .find({ _id: { $nin: await s3.objects() } })
    .toArray();
  await bucket.append(first?._id ?? '', 0, pieces(randomBytes((first?.size_bytes ?? 0) - 1)));
  await expectAllServed(during);

  expect(await move()).toEqual({ copied: inGridFs, unsealed: 1 });
  expect(await move()).toEqual({ copied: 0, unsealed: 1 });
  await during.context.blobs.remove(begun);
  expect(await move()).toEqual({ copied: 0, unsealed: 0 });
  await during.stop();

  const after = await onS3(undefined);
  await db.collection('blobs.files').drop();
  await db.collection('blobs.chunks').drop();
  await expectAllServed(after);
  expect(await s3.uploads()).toBe(0);
  await after.stop();
});

test('the copy of a blob that is collected during the copy is deleted', async () => {
  const { db } = mongo;
  const id = newId();
  await gridFs.write(id, pieces(randomBytes(100)));
  await db.collection<{ _id: string }>('blobs').insertOne({ _id: id, size_bytes: 100, references: 1 } as never);
  const collected: BlobStore = {
    ...bucket,
    async write(blobId, source) {
      await db.collection<{ _id: string }>('blobs').updateOne({ _id: id }, { $set: { collected: true } });
      return bucket.write(blobId, source);
    },
  };
  await moveBlobs({ db, from: gridFs, to: collected, log });
  expect(await s3.objects()).not.toContain(id);
});

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
