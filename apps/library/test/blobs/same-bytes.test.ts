import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { newId } from '@fanfare/runtime';
import type { StorageLimits } from '../../src/storage/domain/storage-limits.ts';
import { storeMedia, type MediaToStore } from '../../src/intake/store-media.ts';
import { addBlobRows, releaseBlob, markFreeBlobs, type BlobDocument } from '../../src/blobs/store/blob-rows.ts';
import { beginUpload, finishUpload } from '../../src/blobs/store/uploads.ts';
import { aCall, aJpeg, startLibrary, type TestLibrary } from '../start-library.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await startLibrary();
});
afterAll(() => library.stop());
beforeEach(async () => {
  for (const name of ['media', 'uploads', 'blobs', 'blobs.files', 'blobs.chunks']) await library.context.db.collection(name).deleteMany({});
});

const scope = { organizationId: aCall().metadata.organizationId, businessId: aCall().metadata.businessId };
const rows = () => library.context.db.collection<BlobDocument>('blobs').find().toArray();

/** Stores bytes as a media of the test's business, or of another one. */
async function store(bytes: Buffer, differently: Partial<MediaToStore> = {}, whose = scope) {
  return library.context.spool.withFile(async (file) => {
    await writeFile(file, bytes);
    return storeMedia(library.context, whose, { id: newId(), file, source: 'upload', altText: '', limits: undefined, ...differently });
  });
}

const release = (blobId: string) =>
  library.context.transact((session) =>
    releaseBlob(library.context.db, { blobId, organizationId: scope.organizationId, sizeBytes: 1 }, session),
  );

test('the same bytes are stored once for an organization, even if they arrive concurrently', async () => {
  const bytes = await aJpeg();
  const media = await Promise.all([1, 2, 3, 4].map(() => store(bytes)));
  media.push(await store(bytes, {}, { ...scope, businessId: newId() }));
  expect(new Set(media.map(({ blob_id }) => blob_id)).size).toBe(1);
  expect(await library.stored()).toMatchObject({ media: 5, uploads: 0, files: 1, chunks: 1 });
  expect(await rows()).toMatchObject([{ references: 5, size_bytes: bytes.length }]);
});

test('another organization has its own blob', async () => {
  const bytes = await aJpeg();
  const mine = await store(bytes);
  const theirs = await store(bytes, {}, { organizationId: newId(), businessId: newId() });
  expect(theirs.blob_id).not.toBe(mine.blob_id);
  expect(await library.stored()).toMatchObject({ media: 2, files: 2 });
});

test('a blob without references can be used again', async () => {
  const bytes = await aJpeg();
  const { blob_id } = await store(bytes);
  await release(blob_id);
  expect(await rows()).toMatchObject([{ references: 0, free_since: expect.any(Date) }]);
  expect((await store(bytes)).blob_id).toBe(blob_id);
  const [row] = await rows();
  expect(row).toMatchObject({ references: 1 });
  expect(row?.free_since).toBeUndefined();
});

test('bytes whose blob is being collected are stored again', async () => {
  const bytes = await aJpeg();
  const { blob_id } = await store(bytes);
  await release(blob_id);
  expect(await markFreeBlobs(library.context.db, 10, 60_000)).toEqual([]);
  expect(await markFreeBlobs(library.context.db, 10, 0)).toMatchObject([{ _id: blob_id }]);
  const again = await store(bytes);
  expect(again.blob_id).not.toBe(blob_id);
  expect(await library.stored()).toMatchObject({ files: 2 });
});

test('nothing remains of bytes whose commit fails, not even a reference', async () => {
  const [known, fresh] = [await aJpeg(), await aJpeg(50, 50)];
  await store(known);
  const limits: StorageLimits = { bytes: 1, files: 1 };
  for (const bytes of [known, fresh]) await expect(store(bytes, { limits })).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  await expect(store(fresh, { folderId: newId() })).rejects.toMatchObject({ code: 'invalid_value', param: 'folder_id' });
  expect(await library.stored()).toMatchObject({ media: 1, uploads: 0, files: 1, chunks: 1 });
  expect(await rows()).toMatchObject([{ references: 1 }]);
});

describe('a staged blob', () => {
  /** Like that of a resumable upload: complete, recorded, not sealed. */
  async function staged(bytes: Buffer): Promise<Partial<MediaToStore> & { stagedBlobId: string }> {
    const { db, blobs } = library.context;
    const stagedBlobId = newId();
    await beginUpload(db, stagedBlobId, newId(), 60_000);
    await blobs.append(stagedBlobId, 0, Readable.from([bytes]));
    return { stagedBlobId, endIntake: (session) => finishUpload(db, stagedBlobId, session) };
  }

  test('becomes the media without a copy', async () => {
    const bytes = await aJpeg();
    const upload = await staged(bytes);
    expect((await store(bytes, upload)).blob_id).toBe(upload.stagedBlobId);
    expect(await library.stored()).toMatchObject({ media: 1, uploads: 0, files: 1 });
  });

  test('with bytes that another blob has is left to the sweep', async () => {
    const bytes = await aJpeg();
    const { blob_id } = await store(bytes);
    expect((await store(bytes, await staged(bytes))).blob_id).toBe(blob_id);
    expect(await library.stored()).toMatchObject({ media: 2, uploads: 1, files: 2 });
  });

  test('still belongs to the caller if the commit fails, and can be used later', async () => {
    const bytes = await aJpeg();
    const upload = await staged(bytes);
    await expect(store(bytes, { ...upload, folderId: newId() })).rejects.toMatchObject({ param: 'folder_id' });
    expect(await library.stored()).toMatchObject({ media: 0, uploads: 1, files: 1 });
    expect((await store(bytes, upload)).blob_id).toBe(upload.stagedBlobId);
  });

  test('with another size than the file is never used', async () => {
    const upload = await staged(await aJpeg(10, 10));
    await expect(store(await aJpeg(), upload)).rejects.toThrow('were stored');
    expect(await library.stored()).toMatchObject({ media: 0, uploads: 1 });
  });
});

test('media of versions without blob rows get rows, and are found by content', async () => {
  const { db } = library.context;
  const bytes = await aJpeg();
  const first = await store(bytes);
  const twin = { ...first, _id: newId(), blob_id: newId() };
  await db.collection<typeof twin>('media').insertOne(twin);
  await db.collection('blobs').deleteMany({});
  await addBlobRows(db);
  await addBlobRows(db);

  const found = await rows();
  expect(found.map(({ _id, references }) => [_id, references]).sort()).toEqual([first.blob_id, twin.blob_id].sort().map((id) => [id, 1]));
  expect(found.filter(({ sha256 }) => sha256 !== undefined)).toHaveLength(1);
  expect((await store(bytes)).blob_id).toBe(found.find(({ sha256 }) => sha256 !== undefined)?._id);
});

test('a media of a version without rows can be deleted, and its blob is collected', async () => {
  const { db } = library.context;
  const { blob_id } = await store(await aJpeg());
  await db.collection('blobs').deleteMany({});
  await release(blob_id);
  expect(await markFreeBlobs(db, 10, 0)).toMatchObject([{ _id: blob_id, organization_id: scope.organizationId }]);
});
