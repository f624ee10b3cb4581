import { eventually } from '@fanfare/testing';
import { MongoClient, type Collection, type Document } from 'mongodb';
import { anImage } from '../src/an-image.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { readPost } from '../src/publish.ts';

let platform: Platform;
let business: string;
let mongo: MongoClient;

beforeAll(async () => {
  platform = await borrowPlatform();
  business = `/api/businesses/${platform.tenant.business_id}`;
  mongo = await new MongoClient(platform.settingsOf('library').MONGODB_URL ?? '').connect();
});
afterAll(async () => {
  await mongo.close();
  await platform.stop();
});

const inAnHour = () => new Date(Date.now() + 3600_000).toISOString();
const remove = (mediaId: string, query = '') => platform.api('DELETE', `${business}/media/${mediaId}${query}`);
const isThere = async (mediaId: string) => (await platform.api('GET', `${business}/media/${mediaId}`)).status === 200;
const schedule = (postId: string, headers = {}) =>
  platform.api('POST', `${business}/posts/${postId}/schedule`, { scheduled_publish_time: inAnHour() }, headers);
const unschedule = (postId: string) => platform.api('POST', `${business}/posts/${postId}/unschedule`);
const create = async (mediaId: string) =>
  (await platform.fanfare.posts.create(platform.tenant.business_id, { caption: 'Bread', media_ids: [mediaId] })).id;
const rowsOf = (service: 'library' | 'content', name: string): Collection<Document & { _id: string }> =>
  mongo.db(platform.settingsOf(service).MONGODB_DATABASE).collection(name);

test('media that a scheduled post needs can only be deleted by force, and then the post reports it', async () => {
  const mediaId = await anImage(platform);
  const postId = await create(mediaId);
  expect((await schedule(postId)).status).toBe(200);

  const rejected = await remove(mediaId);
  expect([rejected.status, rejected.body]).toMatchObject([409, { code: 'conflict', detail: expect.stringContaining(postId) as string }]);
  expect(await isThere(mediaId)).toBe(true);

  expect(await remove(mediaId, '?force=true')).toMatchObject({ status: 200, body: { status: 'deleted' } });
  expect(await isThere(mediaId)).toBe(false);
  const post = await eventually(async () => {
    const now = await readPost(platform, postId);
    return now.at_risk !== null && now;
  });
  expect(post).toMatchObject({ status: 'SCHEDULED', at_risk: [{ code: 'media_deleted', media_id: mediaId }] });
  const { body } = await platform.api<{ items: { id: string; at_risk: unknown[] | null }[] }>('GET', `${business}/posts?status=SCHEDULED`);
  expect(body.items.find(({ id }) => id === postId)?.at_risk).toHaveLength(1);
});

test('it can be deleted when the post is no longer scheduled', async () => {
  const mediaId = await anImage(platform);
  const postId = await create(mediaId);
  await schedule(postId);
  expect((await remove(mediaId)).status).toBe(409);
  expect((await unschedule(postId)).status).toBe(200);
  // The library receives the event a moment later.
  await eventually(async () => (await remove(mediaId)).status === 200);
  expect(await isThere(mediaId)).toBe(false);
});

test('the texts of media are shown in the posts that have it, whose revision does not change', async () => {
  const mediaId = await anImage(platform);
  const postId = await create(mediaId);
  const path = `${business}/posts/${postId}`;
  const tag = (await platform.api('GET', path)).headers.get('etag') ?? '';
  await platform.api('PATCH', `${business}/media/${mediaId}`, { description: 'Bread on a table' });
  await eventually(async () => (await readPost(platform, postId)).media_details[0]?.description === 'Bread on a table');
  const read = await platform.api('GET', path, undefined, { 'if-none-match': tag });
  expect([read.status, read.headers.get('etag') === tag]).toEqual([200, false]);
  expect((await platform.api('PATCH', path, { caption: 'Rolls' }, { 'if-match': tag })).status).toBe(200);
});

test('content killed between reserving and committing: the media is reserved for an hour, and no longer', async () => {
  const mediaId = await anImage(platform);
  const postId = await create(mediaId);
  const reservations = rowsOf('library', 'reservations');
  const waiting = { holder: `post:${postId}`, media_ids: mediaId, lapses_at: { $exists: true } };

  // While this transaction is open nobody else can commit a change of the post; once it is committed, a repeat of the call finds another revision.
  const session = mongo.startSession();
  session.startTransaction();
  await rowsOf('content', 'posts').updateOne({ _id: postId }, { $inc: { revision: 1 } }, { session });
  const tag = (await platform.api('GET', `${business}/posts/${postId}`)).headers.get('etag') ?? '';
  const scheduling = schedule(postId, { 'if-match': tag });
  await eventually(async () => (await reservations.findOne(waiting)) ?? undefined);
  await platform.kill('content');
  await session.commitTransaction();
  await session.endSession();
  await platform.start('content');
  expect((await scheduling).status).toBeGreaterThanOrEqual(400);
  expect((await readPost(platform, postId)).status).toBe('NEW');

  expect((await remove(mediaId)).status).toBe(409);
  await reservations.updateMany({ holder: `post:${postId}` }, { $set: { lapses_at: new Date(Date.now() - 60_000) } });
  expect((await remove(mediaId)).status).toBe(200);
});
