import { connectTiktok } from './connect-tiktok.ts';
import { mediaServer, reel, runningSandbox, until, type RunningSandbox } from '../running-sandbox.ts';

let sandbox: RunningSandbox;
let media: Awaited<ReturnType<typeof mediaServer>>;
let users = 0;
let user: Awaited<ReturnType<typeof connectTiktok>>;

beforeAll(async () => {
  sandbox = await runningSandbox();
  media = await mediaServer();
});
beforeEach(async () => {
  const username = `drafting${++users}`;
  const { body } = await sandbox.control('/accounts', { platform: 'tiktok', username, name: username });
  user = await connectTiktok(sandbox, 'user.info.basic,video.upload,video.list', body.id);
});
afterAll(async () => {
  await media.stop();
  await sandbox.stop();
});

const source_info = { source: 'FILE_UPLOAD', video_size: reel.length, chunk_size: reel.length, total_chunk_count: 1 };
const startVideo = (body: object = { source_info }) => user.post('/post/publish/inbox/video/init/', body);
const startPhotos = (post_info: object, post_mode = 'MEDIA_UPLOAD') =>
  user.post('/post/publish/content/init/', {
    media_type: 'PHOTO',
    post_mode,
    post_info,
    source_info: { source: 'PULL_FROM_URL', photo_images: [media.url('square.jpg')], photo_cover_index: 0 },
  });
const put = (url: string) =>
  sandbox.call(url, {
    method: 'PUT',
    body: new Uint8Array(reel),
    headers: { 'content-type': 'video/mp4', 'content-range': `bytes 0-${reel.length - 1}/${reel.length}` },
  });
const finalStatus = (publish_id: string) =>
  until(
    async () => (await user.post('/post/publish/status/fetch/', { publish_id })).body.data,
    ({ status }) => !status.startsWith('PROCESSING'),
  );

it('of a video waits in the inbox, where nobody else sees it', async () => {
  const { publish_id, upload_url } = (await startVideo()).body.data;
  expect((await put(upload_url)).status).toBe(201);
  expect(await finalStatus(publish_id)).toEqual({
    status: 'SEND_TO_USER_INBOX',
    uploaded_bytes: reel.length,
    publicaly_available_post_id: [],
  });
  expect((await user.post('/video/list/?fields=id')).body.data.videos).toEqual([]);
  const { items } = (await sandbox.control('/posts?platform=tiktok')).body;
  expect(items.at(-1)).toMatchObject({ kind: 'video', text: '', state: 'unpublished', media: [{ size: reel.length }] });
});

it('of photos has a title and a description', async () => {
  const { body } = await startPhotos({ title: 'Fresh', description: 'coffee' });
  expect(await finalStatus(body.data.publish_id)).toMatchObject({ status: 'SEND_TO_USER_INBOX' });
  const { items } = (await sandbox.control('/posts?platform=tiktok')).body;
  expect(items.at(-1)).toMatchObject({ text: 'Fresh\ncoffee', state: 'unpublished', media: [{ kind: 'image' }] });
});

it('fails later if it is not a video', async () => {
  const fault = { type: 'processing_error', message: 'frame_rate_check_failed' };
  await sandbox.control('/faults', { platform: 'tiktok', call: 'tiktok.upload_chunk', times: 1, fault });
  const { publish_id, upload_url } = (await startVideo()).body.data;
  await put(upload_url);
  expect(await finalStatus(publish_id)).toMatchObject({ status: 'FAILED', fail_reason: 'frame_rate_check_failed' });
});

it.each<[string, () => ReturnType<typeof startVideo>]>([
  ['a text with a video', () => startVideo({ source_info, post_info: { title: 'Fresh coffee' } })],
  ['no video', () => startVideo({})],
  ['the privacy level of photos', () => startPhotos({ title: 'Fresh', privacy_level: 'SELF_ONLY' })],
  ['an unknown mode', () => startPhotos({ title: 'Fresh' }, 'DRAFT')],
])('is rejected with %s', async (_, start) => {
  expect(await start()).toMatchObject({ status: 400, body: { error: { code: 'invalid_params' } } });
});

it('requires its own scope, which is not a permission to publish', async () => {
  const rejected = { status: 401, body: { error: { code: 'scope_not_authorized' } } };
  expect(await user.post('/post/publish/creator_info/query/')).toMatchObject(rejected);
  expect(await startPhotos({ privacy_level: 'SELF_ONLY' }, 'DIRECT_POST')).toMatchObject(rejected);
  user = await connectTiktok(sandbox, 'user.info.basic,video.publish', user.tokens['open_id']);
  expect(await startVideo()).toMatchObject(rejected);
  expect(await startPhotos({ title: 'Fresh' })).toMatchObject(rejected);
  expect((await startPhotos({ privacy_level: 'SELF_ONLY' }, 'DIRECT_POST')).status).toBe(200);
});

it('is one of five that wait in an inbox, within a day', async () => {
  for (let n = 0; n < 5; n++) expect((await startVideo()).status).toBe(200);
  expect(await startVideo()).toMatchObject({ status: 403, body: { error: { code: 'spam_risk_too_many_pending_share' } } });
  expect(await startPhotos({})).toMatchObject({ status: 429 });
  sandbox.clock.aheadMs = 61_000;
  expect(await startPhotos({})).toMatchObject({ status: 403, body: { error: { code: 'spam_risk_too_many_pending_share' } } });
  sandbox.clock.aheadMs = 0;
});
