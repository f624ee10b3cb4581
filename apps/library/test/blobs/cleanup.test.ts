import { LeaseLost } from '@fanfare/leased-work';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { cleanUp, cleanUpUnder } from '../../src/cleanup/cleanup-loop.ts';
import { leaseCleanup } from '../../src/cleanup/store/cleanup-lease.ts';
import { beginUpload } from '../../src/blobs/store/uploads.ts';
import { aCall, aJpeg, mediaOf, startLibrary, type TestLibrary } from '../start-library.ts';

const DAY_MS = 24 * 3600_000;

let library: TestLibrary;
beforeAll(async () => {
  library = await startLibrary();
});
afterAll(() => library.stop());

const collection = (name: string) => library.context.db.collection<{ _id: string; blob_id?: string }>(name);
/** Moves a date into the past. */
const ago = (ms: number) => new Date(Date.now() - ms);

async function upload(bytes: Buffer): Promise<{ id: string; blobId: string }> {
  const { id = '' } = await mediaOf(await library.upload(newId(), new Uint8Array(bytes)));
  const blobId = (await collection('media').findOne({ _id: id }))?.blob_id ?? '';
  return { id, blobId };
}

const remove = (mediaId: string) =>
  library.client.deleteMedia({ operationId: newId(), mediaId, expectedRevisions: [], force: false }, { call: aCall() });

/** Runs a round in the test, as soon as the loop of the library has no lease. */
const clean = async (context = library.context) => {
  const row = await eventually(async () => (await leaseCleanup(context.db, 60_000)) ?? undefined);
  await cleanUpUnder(context, row);
};

test('the blob of a deleted media is deleted after a day', async () => {
  const { id, blobId } = await upload(await aJpeg(300, 200));
  await remove(id);
  await clean();
  expect(await library.context.blobs.size(blobId)).toBeDefined();
  await collection('blobs').updateOne({ _id: blobId }, { $set: { free_since: ago(DAY_MS - 60_000) } });
  await clean();
  expect(await library.context.blobs.size(blobId)).toBeDefined();
  await collection('blobs').updateOne({ _id: blobId }, { $set: { free_since: ago(DAY_MS) } });
  await clean();
  expect(await library.context.blobs.size(blobId)).toBeUndefined();
  expect(await collection('blobs').findOne({ _id: blobId })).toBeNull();
});

test('a blob is kept as long as one of several media refers to it', async () => {
  const bytes = await aJpeg(301, 200);
  const [first, second] = [await upload(bytes), await upload(bytes)];
  await remove(first.id);
  await collection('blobs').updateOne({ _id: first.blobId, free_since: { $exists: true } }, { $set: { free_since: ago(2 * DAY_MS) } });
  await clean();
  expect(await library.context.blobs.size(second.blobId)).toBeDefined();
});

test('the mark of a deleted media is deleted after a day; other media never are', async () => {
  const [deleted, fresh, kept] = [await upload(await aJpeg(10, 10)), await upload(await aJpeg(11, 10)), await upload(await aJpeg(12, 10))];
  await remove(deleted.id);
  await remove(fresh.id);
  for (const { id } of [deleted, kept]) await collection('media').updateOne({ _id: id }, { $set: { updated_at: ago(2 * DAY_MS) } });
  await clean();
  const left = await collection('media')
    .find({ _id: { $in: [deleted.id, fresh.id, kept.id] } })
    .toArray();
  expect(left.map(({ _id }) => _id).sort()).toEqual([fresh.id, kept.id].sort());
});

test('one replica cleans up at a time, and another one takes over when it dies', async () => {
  const { db } = library.context;
  await beginUpload(db, newId(), newId(), 0);
  const dead = await eventually(async () => (await leaseCleanup(db, 60_000)) ?? undefined);
  await cleanUp(library.context);
  expect(await collection('uploads').countDocuments()).toBe(1);
  await collection('leases').updateOne({ _id: 'cleanup' }, { $set: { until: ago(0) } });
  await cleanUp(library.context);
  expect(await collection('uploads').countDocuments()).toBe(0);
  await expect(cleanUpUnder(library.context, dead)).rejects.toBeInstanceOf(LeaseLost);
});

test('a blob that cannot be deleted does not block the others', async () => {
  const { blobs } = library.context;
  const media = [await upload(await aJpeg(20, 20)), await upload(await aJpeg(21, 20))] as const;
  for (const { id } of media) await remove(id);
  const ids = media.map(({ blobId }) => blobId);
  await collection('blobs').updateMany({ _id: { $in: ids } }, { $set: { free_since: ago(2 * DAY_MS) } });
  const broken = {
    ...blobs,
    remove: (blobId: string) => (blobId === ids[0] ? Promise.reject(new Error('rejected')) : blobs.remove(blobId)),
  };
  await clean({ ...library.context, blobs: broken });
  expect(await blobs.size(ids[0] ?? '')).toBeDefined();
  expect(await blobs.size(ids[1] ?? '')).toBeUndefined();
  await collection('blobs').updateMany({ _id: { $in: ids } }, { $set: { free_since: ago(2 * DAY_MS) } });
  await clean();
  expect(await blobs.size(ids[0] ?? '')).toBeUndefined();
});
