import { connectorReading } from './connector-reading.ts';
import { connectTiktok } from './connect-tiktok.ts';
import { mediaServer, reel, runningSandbox, until, type RunningSandbox } from '../running-sandbox.ts';

const HOUR_MS = 3_600_000;
let sandbox: RunningSandbox;
let media: Awaited<ReturnType<typeof mediaServer>>;
let user: Awaited<ReturnType<typeof connectTiktok>>;
let openId: string;
let video: string;
let photo: string;
let hidden: string;
let stranger: string;
beforeAll(async () => {
  sandbox = await runningSandbox({ SANDBOX_LIMITS_FACTOR: '100' });
  media = await mediaServer();
  const other = (await sandbox.control('/accounts', { platform: 'tiktok', username: 'mill', name: 'The Mill' })).body.id;
  stranger = await publishPhoto(await connectTiktok(sandbox, undefined, other));
  user = await connectTiktok(sandbox);
  openId = (await user.get('/user/info/?fields=open_id')).body.data.user.open_id;
  video = await publishVideo();
  photo = await publishPhoto(user);
  hidden = await publishPhoto(user, 'SELF_ONLY');
});
afterAll(async () => {
  await media.stop();
  await sandbox.stop();
});
afterEach(() => {
  sandbox.clock.aheadMs = 0;
});

async function publishVideo(): Promise<string> {
  const size = reel.length;
  const source_info = { source: 'FILE_UPLOAD', video_size: size, chunk_size: size, total_chunk_count: 1 };
  const post_info = { title: 'Kneading', privacy_level: 'PUBLIC_TO_EVERYONE' };
  const { upload_url, publish_id } = (await user.post('/post/publish/video/init/', { post_info, source_info })).body.data;
  const headers = { 'content-type': 'video/mp4', 'content-range': `bytes 0-${size - 1}/${size}` };
  await sandbox.call(upload_url, { method: 'PUT', body: new Uint8Array(reel), headers });
  return postOf(user, publish_id);
}

async function publishPhoto(by: typeof user, privacy_level = 'PUBLIC_TO_EVERYONE'): Promise<string> {
  const source_info = { source: 'PULL_FROM_URL', photo_images: [media.url('square.jpg')], photo_cover_index: 0 };
  const post_info = { title: 'Bread', description: 'Fresh bread', privacy_level };
  const body = { media_type: 'PHOTO', post_mode: 'DIRECT_POST', post_info, source_info };
  return postOf(by, (await by.post('/post/publish/content/init/', body)).body.data.publish_id);
}

/** The id of the published post, public or not. */
async function postOf(by: typeof user, publish_id: string): Promise<string> {
  await until(
    () => by.post('/post/publish/status/fetch/', { publish_id }),
    ({ body }) => body.data.status === 'PUBLISH_COMPLETE',
  );
  return (await sandbox.control('/posts?platform=tiktok')).body.items.at(-1).id;
}

const counters = 'id,view_count,like_count,comment_count,share_count';
const query = (...video_ids: string[]) => user.post(`/video/query/?fields=${counters},duration`, { filters: { video_ids } });

it('counts videos, more as they grow older, and returns values that a test sets', async () => {
  const [fresh] = (await query(video)).body.data.videos;
  sandbox.clock.aheadMs = 12 * HOUR_MS;
  const [grown] = (await query(video)).body.data.videos;
  expect(grown).toEqual({ ...grown, id: video, duration: 3, comment_count: 0, share_count: expect.any(Number) });
  expect(grown.view_count).toBeGreaterThan(fresh.view_count);
  await sandbox.control(`/statistics/${video}`, { statistics: { likes: 1_000_000 } }, 'PUT');
  await sandbox.control(`/statistics/${openId}`, { statistics: { followers: 5 } }, 'PUT');
  expect((await query(video)).body.data.videos[0].like_count).toBe(1_000_000);
  const { user: counted } = (await user.get('/user/info/?fields=follower_count,likes_count,video_count')).body.data;
  expect(counted).toMatchObject({ follower_count: 5, video_count: 2 });
  expect(counted.likes_count).toBeGreaterThanOrEqual(1_000_000);
});

it('has only public posts of the user', async () => {
  expect((await query(photo, hidden, stranger, '1')).body.data.videos).toMatchObject([{ id: photo }]);
});

it.each([
  ['21 videos', `/video/query/?fields=id`, { filters: { video_ids: Array.from({ length: 21 }, String) } }],
  ['no video', `/video/query/?fields=id`, { filters: { video_ids: [] } }],
  ['fields that TikTok does not have', `/video/query/?fields=reach`, { filters: { video_ids: ['1'] } }],
  ['no fields', `/video/list/`, {}],
  ['a cursor that is not a time', `/video/list/?fields=id`, { cursor: 'next' }],
])('rejects %s', async (_what, path, body) => {
  expect(await user.post(path, body)).toMatchObject({ status: 400, body: { error: { code: 'invalid_params' } } });
});

it('returns videos and counters only with their scopes', async () => {
  const other = await connectTiktok(sandbox, 'user.info.basic,user.info.profile');
  const rejected = { status: 401, body: { error: { code: 'scope_not_authorized' } } };
  expect(await other.post(`/video/query/?fields=id`, { filters: { video_ids: [video] } })).toMatchObject(rejected);
  expect(await other.get('/user/info/?fields=open_id,follower_count')).toMatchObject(rejected);
});

it('is read by the connector', async () => {
  sandbox.clock.aheadMs = 12 * HOUR_MS;
  const account = { accountId: openId, username: 'fanfare_demo', accessToken: user.tokens['access_token']! };
  const reader = connectorReading(sandbox, 'tiktok', account);
  const seen = expect.any(Number) as number;
  expect(await reader.account([])).toMatchObject({ followers: seen, following: 31, postsCount: 2, rawMetrics: { likes_count: seen } });
  const first = await reader.list(1);
  const second = await reader.list(1, first.next);
  expect([...first.posts, ...second.posts].map(({ publishId }) => publishId)).toEqual([photo, video]);
  expect(second.next).toBeUndefined();
  const stats = { likes: seen, commentCount: 0, shares: seen, views: seen, videoDurationMs: 3_000, reach: null };
  expect(await reader.posts(video, stranger, hidden)).toMatchObject([{ publishId: video, caption: 'Kneading', stats }]);
  await reader.close();
});
