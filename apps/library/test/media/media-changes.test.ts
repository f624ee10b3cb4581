import type { DeleteMediaRequest, UpdateMediaRequest } from '@fanfare/contracts/library';
import { topics } from '@fanfare/contracts';
import { newId } from '@fanfare/runtime';
import { eventually, startEventPeer } from '@fanfare/testing';
import { findIntake, insertIntake } from '../../src/intake/store/intakes.ts';
import { aCall, aJpeg, aWebServer, mediaOf, startLibrary, type TestLibrary } from '../start-library.ts';

let library: TestLibrary;
let silent: Awaited<ReturnType<typeof aWebServer>>;
const call = aCall();

beforeAll(async () => {
  silent = await aWebServer(() => undefined);
  library = await startLibrary({ allowedOrigins: [silent.origin], backgroundProcesses: 1 });
});
afterAll(async () => {
  await library.stop();
  await silent.stop();
});

const aMedia = async () => (await mediaOf(await library.upload(newId(), new Uint8Array(await aJpeg())))).id ?? '';
const get = async (mediaId: string, as = call) => (await library.client.getMedia({ mediaId }, { call: as })).media;
const update = async (mediaId: string, changes: Partial<UpdateMediaRequest>, as = call) =>
  (await library.client.updateMedia({ operationId: newId(), mediaId, expectedRevisions: [], ...changes }, { call: as })).media;
const remove = (mediaId: string, more: Partial<DeleteMediaRequest> = {}, as = call) =>
  library.client.deleteMedia({ operationId: newId(), mediaId, expectedRevisions: [], force: false, ...more }, { call: as });
const aFolder = async () => {
  const request = { operationId: newId(), folderId: newId(), name: `Folder ${newId()}`, parentId: undefined };
  return (await library.client.createFolder(request, { call })).folder?.id ?? '';
};
const missing = { code: 'resource_not_found' };

describe('reading', () => {
  test('returns what is stored', async () => {
    const id = await aMedia();
    expect(await get(id)).toMatchObject({ id, status: 'MEDIA_STATUS_READY', revision: 1, type: 'MEDIA_TYPE_IMAGE' });
  });

  test('returns media that are processed, and failed ones', async () => {
    const { db } = library.context;
    const [underWay, failed] = [await anIntake(), newId()];
    const { organizationId: organization_id, businessId: business_id } = call.metadata;
    const at = new Date();
    await db.collection<{ _id: string }>('intakes').insertOne({
      _id: failed,
      ...{ organization_id, business_id, kind: 'url', url: 'https://example.com/x', alt_text: '', created_at: at, updated_at: at },
      ...{ open: false, fence: 1, failures: 1, run_at: at, failure: { code: 'invalid_value', detail: 'No media.' } },
    });
    expect(await get(underWay)).toMatchObject({ id: underWay, status: 'MEDIA_STATUS_PROCESSING', altText: 'Soon', revision: 1 });
    expect(await get(failed)).toMatchObject({ status: 'MEDIA_STATUS_FAILED', failure: { code: 'invalid_value', detail: 'No media.' } });
    for (const id of [underWay, failed]) {
      await expect(get(id, aCall({ businessId: newId() }))).rejects.toMatchObject(missing);
      await expect(update(id, { altText: 'x' })).rejects.toMatchObject({ code: 'conflict' });
    }
  });
});

describe('a change', () => {
  test('changes only the given fields', async () => {
    const id = await aMedia();
    const before = await get(id);
    const after = await update(id, { description: '$alt_text', transcript: 'Words.' });
    expect(after).toEqual({ ...before, description: '$alt_text', transcript: 'Words.', revision: 2, updatedAt: after?.updatedAt });
    expect(after?.updatedAt?.getTime()).toBeGreaterThanOrEqual(before?.updatedAt?.getTime() ?? Infinity);
    expect(await get(id)).toEqual(after);
    expect(await update(id, { altText: '' })).toMatchObject({ altText: '', description: '$alt_text', revision: 3 });
  });

  test('is done once, even if it is repeated', async () => {
    const id = await aMedia();
    const change = { operationId: newId(), altText: 'One', expectedRevisions: [1] };
    const first = await update(id, change);
    await update(id, { altText: 'Two' });
    const again = await update(id, change);
    expect(first).toMatchObject({ altText: 'One', revision: 2 });
    expect(again).toMatchObject({ altText: 'Two', revision: 3 });
  });

  test('moves the media to a folder of the business, and back', async () => {
    const [id, folderId] = [await aMedia(), await aFolder()];
    expect(await update(id, { folderId })).toMatchObject({ folderId });
    const list = async (of?: string) =>
      (await library.client.listMedia({ folderId: of, allFolders: false, pageSize: 100, pageToken: '' }, { call })).media.map(
        (one) => one.id,
      );
    expect(await list(folderId)).toEqual([id]);
    expect(await list()).not.toContain(id);
    await expect(library.client.deleteFolder({ operationId: newId(), folderId, expectedRevisions: [] }, { call })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect((await update(id, { folderId: '' }))?.folderId).toBeUndefined();
    await library.client.deleteFolder({ operationId: newId(), folderId, expectedRevisions: [] }, { call });
    await expect(update(id, { folderId })).rejects.toMatchObject({ code: 'invalid_value', param: 'folder_id' });
  });

  test('to a folder that is deleted concurrently is either first, or rejected', async () => {
    for (let round = 0; round < 5; round++) {
      const [id, folderId] = [await aMedia(), await aFolder()];
      const [moved, deleted] = await Promise.allSettled([
        update(id, { folderId }),
        library.client.deleteFolder({ operationId: newId(), folderId, expectedRevisions: [] }, { call }),
      ]);
      expect([moved.status, deleted.status].sort()).toEqual(['fulfilled', 'rejected']);
    }
  });

  test('with another expected revision is rejected', async () => {
    const id = await aMedia();
    await expect(update(id, { altText: 'x', expectedRevisions: [2] })).rejects.toMatchObject({ code: 'precondition_failed' });
    await expect(remove(id, { expectedRevisions: [7] })).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(await get(id)).toMatchObject({ altText: '', revision: 1 });
  });

  test.each([
    ['no fields', {}, { code: 'invalid_request' }],
    ['an invalid WebVTT', { transcript: 'WEBVTT\n\nlost' }, { code: 'invalid_value', param: 'transcript' }],
  ])('with %s is rejected', async (_what, changes, rejection) => {
    await expect(update(await aMedia(), changes)).rejects.toMatchObject(rejection);
  });
});

describe('a deletion', () => {
  test('hides the media everywhere', async () => {
    const id = await aMedia();
    const media = await get(id);
    expect((await fetch(library.local(media?.url ?? ''))).status).toBe(200);
    await remove(id);
    await expect(get(id)).rejects.toMatchObject(missing);
    await expect(update(id, { altText: 'x' })).rejects.toMatchObject(missing);
    await expect(remove(id)).rejects.toMatchObject(missing);
    await expect(library.client.signMediaUrls({ mediaIds: [id], validForSeconds: 3600 }, { call })).rejects.toMatchObject(missing);
    expect((await library.client.batchGetMedia({ mediaIds: [id] }, { call })).media).toEqual([]);
    expect((await library.client.resolveMediaUrls({ urls: [media?.url ?? ''] }, { call })).mediaByUrl).toEqual({});
    expect((await fetch(library.local(media?.url ?? ''))).status).toBe(404);
  });

  test('deletes all derivatives and releases the bytes', async () => {
    const id = await aMedia();
    const thumbnail = await eventually(async () => (await get(id))?.thumbnailUrl || undefined, 20_000);
    expect((await fetch(library.local(thumbnail))).status).toBe(200);
    const { db } = library.context;
    const ofMedia = { _id: id as never };
    const [media, derivative] = [
      await db.collection('media').findOne(ofMedia),
      await db.collection('derivatives').findOne({ media_id: id }),
    ];
    await remove(id);
    expect((await fetch(library.local(thumbnail))).status).toBe(404);
    const blobs = await db
      .collection('blobs')
      .find({ _id: { $in: [media?.['blob_id'], derivative?.['blob_id']] } })
      .toArray();
    expect(blobs.map(({ references, free_since }) => [references, free_since])).toEqual(Array(2).fill([0, expect.any(Date)]));
  });

  test('returns the same if it is repeated', async () => {
    const id = await aMedia();
    const operationId = newId();
    for (let time = 0; time < 2; time++) expect(await remove(id, { operationId })).toEqual({});
  });

  test('is rejected with the post that needs the media, unless it is forced', async () => {
    const id = await aMedia();
    const holder = 'post:019a0000-0000-7000-8000-00000000000a';
    await library.client.reserveMedia({ holder, revision: 2, mediaIds: [id], operationId: newId() }, { call });
    await expect(remove(id)).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('post 019a0000-0000-7000-8000-00000000000a') as string,
    });
    expect(await get(id)).toMatchObject({ status: 'MEDIA_STATUS_READY' });
    await remove(id, { force: true });
    await expect(get(id)).rejects.toMatchObject(missing);
  });

  test('of a media that is being processed cancels it', async () => {
    const id = await anIntake();
    await expect(remove(id, { expectedRevisions: [2] })).rejects.toMatchObject({ code: 'precondition_failed' });
    await remove(id, { expectedRevisions: [1] });
    await expect(get(id)).rejects.toMatchObject(missing);
    await expect(remove(id)).rejects.toMatchObject(missing);
    await eventually(async () => (await library.context.db.collection('intakes').countDocuments({ _id: id as never })) === 0);
  });

  test('keeps the bytes if another media has the same', async () => {
    const body = new Uint8Array(await aJpeg());
    const [first, second] = [newId(), newId()];
    for (const id of [first, second]) await library.upload(id, body);
    await remove(first);
    expect((await fetch(library.local((await get(second))?.url ?? ''))).status).toBe(200);
  });
});

test('each change is announced by one event, in order, with the media after the change', async () => {
  const peer = await startEventPeer(library.infra, 'listener', [topics.mediaChanged]);
  try {
    const id = await aMedia();
    const operationId = newId();
    for (let time = 0; time < 2; time++) await update(id, { operationId, description: 'Bread' });
    await remove(id);
    const heard = () => peer.received(topics.mediaChanged).filter(({ data }) => data.mediaId === id);
    await eventually(() => heard().length === 3);
    const changes = heard().map(({ data }) => [data.change, data.revision, data.media?.description]);
    expect(changes).toEqual([
      ['MEDIA_CHANGE_READY', 1, ''],
      ['MEDIA_CHANGE_UPDATED', 2, 'Bread'],
      ['MEDIA_CHANGE_DELETED', 3, undefined],
    ]);
  } finally {
    await peer.stop();
  }
});

test.each([
  ['another business', aCall({ businessId: newId() })],
  ['another organization', aCall({ organizationId: newId() })],
])('%s cannot read, change or delete a media', async (_whose, foreign) => {
  const id = await aMedia();
  for (const attempt of [get(id, foreign), update(id, { altText: 'x' }, foreign), remove(id, { force: true }, foreign)]) {
    await expect(attempt).rejects.toMatchObject(missing);
  }
  expect(await get(id)).toMatchObject({ altText: '', revision: 1 });
});

test('malformed ids are not found', async () => {
  for (const id of ['', 'x', '$ne', newId(), 'x'.repeat(5000)]) {
    await expect(get(id)).rejects.toMatchObject(missing);
    await expect(remove(id)).rejects.toMatchObject(missing);
  }
});

/** A media that is being fetched for a long time. */
async function anIntake(): Promise<string> {
  const id = newId();
  const { organizationId: organization_id, businessId: business_id } = call.metadata;
  await insertIntake(library.context.db, {
    _id: id,
    organization_id,
    business_id,
    kind: 'url',
    url: `${silent.origin}/x`,
    alt_text: 'Soon',
  });
  expect(await findIntake(library.context.db, call.metadata, id)).not.toBeNull();
  return id;
}
