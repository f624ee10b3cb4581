import { topics } from '@fanfare/contracts';
import { PostChanged } from '@fanfare/contracts/content/events';
import { newId } from '@fanfare/runtime';
import { eventually, startEventPeer, type EventPeer } from '@fanfare/testing';
import type { ClientSession } from 'mongodb';
import { editMedia, touchMedia } from '../../src/media/store/media.ts';
import { aCall, aJpeg, mediaOf, startLibrary, type TestLibrary } from '../start-library.ts';

let library: TestLibrary;
let content: EventPeer;
/** The same bytes for all media, so that they are stored once. */
let bytes: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  library = await startLibrary();
  content = await startEventPeer(library.infra, 'content', [topics.mediaChanged]);
  bytes = new Uint8Array(await aJpeg());
});
afterAll(() => Promise.all([library.stop(), content.stop()]));

const aMedia = async (): Promise<string> => {
  const id = newId();
  await mediaOf(await library.upload(id, bytes));
  return id;
};
const reserve = (postId: string, revision: number, mediaIds: string[], operationId = newId(), call = aCall()) =>
  library.client.reserveMedia({ holder: `post:${postId}`, revision, mediaIds, operationId }, { call });
const release = (postId: string, revision: number, operationId: string) =>
  library.client.releaseMedia({ holder: `post:${postId}`, revision, operationId }, { call: aCall() });
const remove = (mediaId: string, force = false) =>
  library.client.deleteMedia({ operationId: newId(), mediaId, expectedRevisions: [], force }, { call: aCall() });
const isThere = async (mediaId: string) =>
  (await library.client.batchGetMedia({ mediaIds: [mediaId] }, { call: aCall() })).media.length === 1;

/** Sends an event of a post, and waits until the library has handled it. */
async function emitNeeds(postId: string, revision: number, neededMediaIds: string[], isNewer = true): Promise<void> {
  const { organizationId, businessId } = aCall().metadata;
  const data = PostChanged.fromPartial({ postId, organizationId, businessId, revision, neededMediaIds });
  const before = await handled();
  await content.emit(topics.postChanged, [{ emission: { subject: postId, revision, organizationId, businessId, flowId: 'flow' }, data }]);
  await eventually(async () => (await handled()) > before);
  if (isNewer) await eventually(async () => (await rowOf(postId))?.revision === revision);
}
const handled = () => library.context.db.collection('inbox').countDocuments();
const reservations = () => library.context.db.collection<{ _id: string; revision: number; lapses_at?: Date }>('reservations');
const rowOf = (postId: string) => reservations().findOne({ _id: `post:${postId}` });

/** Expires the reservations of attempts. */
const lapse = () => reservations().updateMany({ lapses_at: { $exists: true } }, { $set: { lapses_at: new Date(Date.now() - 60_000) } });

test('media that a post needs cannot be deleted, and the error names the post', async () => {
  const [mediaId, postId] = [await aMedia(), newId()];
  await reserve(postId, 3, [mediaId]);
  await expect(remove(mediaId)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(postId) as string });
  await emitNeeds(postId, 3, [mediaId]);
  await expect(remove(mediaId)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(postId) as string });
  expect(await isThere(mediaId)).toBe(true);
  await emitNeeds(postId, 4, []);
  await remove(mediaId);
  expect(await isThere(mediaId)).toBe(false);
});

test('with force, they are deleted, and an event is sent', async () => {
  const [mediaId, postId] = [await aMedia(), newId()];
  await emitNeeds(postId, 1, [mediaId]);
  await remove(mediaId, true);
  expect(await isThere(mediaId)).toBe(false);
  await eventually(() =>
    content.received(topics.mediaChanged).some(({ data }) => data.mediaId === mediaId && data.change === 'MEDIA_CHANGE_DELETED'),
  );
});

test('a reservation without an event expires; a confirmed one does not', async () => {
  const [a, b, postId] = [await aMedia(), await aMedia(), newId()];
  await emitNeeds(postId, 1, [a]);
  await reserve(postId, 2, [b]);
  await expect(remove(b)).rejects.toMatchObject({ code: 'conflict' });
  await lapse();
  await remove(b);
  await expect(remove(a)).rejects.toMatchObject({ code: 'conflict' });
});

test('a released attempt releases only its own media', async () => {
  const [a, b, c, postId] = [await aMedia(), await aMedia(), await aMedia(), newId()];
  const [mine, others] = [newId(), newId()];
  await emitNeeds(postId, 1, [a]);
  await reserve(postId, 2, [b], mine);
  await reserve(postId, 2, [c], others);
  await release(postId, 2, mine);
  await remove(b);
  await expect(remove(a)).rejects.toMatchObject({ code: 'conflict' });
  await expect(remove(c)).rejects.toMatchObject({ code: 'conflict' });
  // The attempt that committed replaces the reservation by its event.
  await emitNeeds(postId, 2, [c]);
  await remove(a);
  await expect(remove(c)).rejects.toMatchObject({ code: 'conflict' });
});

test('older events and older attempts change nothing', async () => {
  const [a, b, postId] = [await aMedia(), await aMedia(), newId()];
  await emitNeeds(postId, 5, [a]);
  await emitNeeds(postId, 4, [b], false);
  await reserve(postId, 5, [b]);
  await remove(b);
  await expect(remove(a)).rejects.toMatchObject({ code: 'conflict' });
  await emitNeeds(postId, 6, []);
  await emitNeeds(postId, 5, [a], false);
  await remove(a);
});

test('an attempt for a later revision stays after the event of an earlier one', async () => {
  const [a, postId] = [await aMedia(), newId()];
  await reserve(postId, 3, [a]);
  await emitNeeds(postId, 2, []);
  await expect(remove(a)).rejects.toMatchObject({ code: 'conflict' });
});

test('with one unknown, deleted or foreign id, nothing is reserved', async () => {
  const [a, deleted] = [await aMedia(), await aMedia()];
  await remove(deleted);
  for (const other of [newId(), deleted, 'no-id']) {
    await expect(reserve(newId(), 1, [a, other])).rejects.toMatchObject({ code: 'resource_not_found', param: 'media_ids.1' });
  }
  const foreign = aCall({ businessId: newId() });
  await expect(reserve(newId(), 1, [a], newId(), foreign)).rejects.toMatchObject({ code: 'resource_not_found', param: 'media_ids.0' });
  await remove(a);
});

test('of a concurrent deletion and reservation, one succeeds and the other gets an error', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, aMedia));
  const outcomes = await Promise.all(
    ids.map(async (id) => {
      const [deleted, reserved] = await Promise.allSettled([remove(id), reserve(newId(), 1, [id])]);
      return [deleted.status, reserved.status].sort().join();
    }),
  );
  expect(new Set(outcomes)).toEqual(new Set(['fulfilled,rejected']));
});

describe('the database rejects the second of two open transactions that', () => {
  const marking = (id: string, session: ClientSession) => {
    const edit = { operationId: newId(), expectedRevisions: [], at: new Date() };
    return editMedia(library.context.db, aCall().metadata, id, { deleted: true }, edit, session);
  };
  const reserving = (id: string, session: ClientSession) => touchMedia(library.context.db, aCall().metadata, [id], session);

  test.each([
    ['reserves, then deletes', reserving, marking],
    ['deletes, then reserves', marking, reserving],
  ])('%s', async (_order, first, second) => {
    const id = await aMedia();
    const { client } = library.context.mongo;
    const [one, other] = [client.startSession(), client.startSession()];
    one.startTransaction();
    other.startTransaction();
    await first(id, one);
    await expect(second(id, other)).rejects.toMatchObject({ codeName: 'WriteConflict' });
    await Promise.all([one.abortTransaction(), other.abortTransaction()]);
    await Promise.all([one.endSession(), other.endSession()]);
  });
});
