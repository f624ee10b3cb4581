import { allScopes, app, connectTiktok as connect } from './connect-tiktok.ts';
import { mediaServer, reel, runningSandbox, until, type RunningSandbox } from '../running-sandbox.ts';

let sandbox: RunningSandbox;
let media: Awaited<ReturnType<typeof mediaServer>>;
let user: Awaited<ReturnType<typeof connect>>;

beforeAll(async () => {
  sandbox = await runningSandbox({ SANDBOX_LIMITS_FACTOR: '100' });
  media = await mediaServer();
  user = await connect(sandbox);
});
afterAll(async () => {
  await media.stop();
  await sandbox.stop();
});

const MB = 1_000_000;
const everyone = { privacy_level: 'PUBLIC_TO_EVERYONE' };
const video = (size: number, more: object = {}, post: object = everyone) => ({
  post_info: { title: 'Fresh coffee', ...post },
  source_info: { source: 'FILE_UPLOAD', video_size: size, chunk_size: size, total_chunk_count: 1, ...more },
});
const photos = (files: string[], post: object = everyone, source: object = {}) => ({
  media_type: 'PHOTO',
  post_mode: 'DIRECT_POST',
  post_info: { title: 'Fresh', description: 'coffee', ...post },
  source_info: { source: 'PULL_FROM_URL', photo_images: files.map(media.url), photo_cover_index: 0, ...source },
});
const init = async (body: object) =>
  (await user.post('/post/publish/video/init/', body)).body.data as { publish_id: string; upload_url: string };
const put = (url: string, bytes: Buffer, range: string, type = 'video/mp4') =>
  sandbox.call(url, { method: 'PUT', body: new Uint8Array(bytes), headers: { 'content-type': type, 'content-range': range } });
const whole = (bytes: Buffer) => `bytes 0-${bytes.length - 1}/${bytes.length}`;
const statusOf = async (publish_id: string) => (await user.post('/post/publish/status/fetch/', { publish_id })).body.data;
const finalStatus = (publish_id: string) =>
  until(
    () => statusOf(publish_id),
    ({ status }) => !status.startsWith('PROCESSING'),
  );

describe('a video', () => {
  it('is accepted as a whole, processed, shown, and gets its id after moderation', async () => {
    const creator = await user.post('/post/publish/creator_info/query/');
    expect(creator.body).toMatchObject({
      data: { creator_username: 'fanfare_demo', max_video_post_duration_sec: 600 },
      error: { code: 'ok' },
    });
    const { publish_id, upload_url } = await init(video(reel.length));
    expect(await statusOf(publish_id)).toEqual({ status: 'PROCESSING_UPLOAD', uploaded_bytes: 0, publicaly_available_post_id: [] });
    const taken = await put(upload_url, reel, whole(reel));
    expect(taken).toMatchObject({ status: 201, text: '' });
    const { publicaly_available_post_id } = await until(
      () => statusOf(publish_id),
      (one) => one.publicaly_available_post_id.length > 0,
    );
    const [id] = publicaly_available_post_id as [string];
    expect(id).toMatch(/^\d{19}$/);
    expect((await sandbox.call(`https://www.tiktok.com/@fanfare_demo/video/${id}`)).text).toContain('Fresh coffee');
    expect((await sandbox.call('https://www.tiktok.com/@fanfare_demo')).text).toContain(`@fanfare_demo/video/${id}`);
    const listed = await user.post('/video/list/?fields=id,video_description,create_time', { max_count: 5 });
    expect(listed.body.data).toMatchObject({ videos: [{ id, video_description: 'Fresh coffee' }], has_more: false });
  });

  it('is accepted in chunks, one after the other', async () => {
    const bytes = Buffer.concat([reel, Buffer.alloc(10 * MB + 7)]);
    const { publish_id, upload_url } = await init(video(bytes.length, { chunk_size: 5 * MB, total_chunk_count: 2 }));
    const second = bytes.subarray(5 * MB);
    const rangeOfSecond = `bytes ${5 * MB}-${bytes.length - 1}/${bytes.length}`;
    expect((await put(upload_url, second, rangeOfSecond)).status).toBe(416);
    const first = await put(upload_url, bytes.subarray(0, 5 * MB), `bytes 0-4999999/${bytes.length}`);
    expect(first.status).toBe(206);
    expect(first.headers.get('content-range')).toBe(`bytes 0-4999999/${bytes.length}`);
    expect(await statusOf(publish_id)).toMatchObject({ uploaded_bytes: 5 * MB });
    expect((await put(upload_url, bytes.subarray(0, 5 * MB), `bytes 0-4999999/${bytes.length}`)).status).toBe(416);
    expect((await put(upload_url, second, rangeOfSecond)).status).toBe(201);
    expect((await put(upload_url, second, rangeOfSecond)).status).toBe(416);
    expect(await finalStatus(publish_id)).toMatchObject({ status: 'PUBLISH_COMPLETE', uploaded_bytes: bytes.length });
  });

  it.each<[string, number, object]>([
    ['chunks below 5 MB', 20 * MB, { chunk_size: 4_999_999, total_chunk_count: 4 }],
    ['chunks above 64 MB', 200 * MB, { chunk_size: 64_000_001, total_chunk_count: 3 }],
    ['a count that was rounded up', 12 * MB, { chunk_size: 5 * MB, total_chunk_count: 3 }],
    ['a large video as a whole', 65 * MB, {}],
    ['a small video in a larger chunk', 3 * MB, { chunk_size: 5 * MB, total_chunk_count: 1 }],
    ['more than 4 GB', 4_001 * MB, { chunk_size: 50 * MB, total_chunk_count: 80 }],
    ['an unknown member', 3 * MB, { name: 'a.mp4' }],
  ])('is rejected with %s', async (_, size, source) => {
    const response = await user.post('/post/publish/video/init/', video(size, source));
    expect(response).toMatchObject({ status: 400, body: { error: { code: 'invalid_params' } } });
  });

  it('is rejected if branded content would be private, of videos and photos', async () => {
    const post_info = { privacy_level: 'SELF_ONLY', brand_content_toggle: true };
    const rejected = { status: 400, body: { error: { code: 'invalid_params', message: expect.stringContaining('private') } } };
    expect(await user.post('/post/publish/video/init/', video(reel.length, {}, post_info))).toMatchObject(rejected);
    const { post_info: words, ...rest } = photos(['square.jpg']);
    expect(await user.post('/post/publish/content/init/', { ...rest, post_info: { ...words, ...post_info } })).toMatchObject(rejected);
    const own = { privacy_level: 'SELF_ONLY', brand_organic_toggle: true };
    expect((await user.post('/post/publish/video/init/', video(reel.length, {}, own))).status).toBe(200);
  });

  it.each<[string, (url: string) => Promise<{ status: number }>, number]>([
    ['another type', (url) => put(url, reel, whole(reel), 'image/jpeg'), 400],
    ['no range', (url) => put(url, reel, ''), 400],
    ['another total', (url) => put(url, reel, `bytes 0-${reel.length - 1}/${reel.length + 1}`), 416],
    ['fewer bytes than its range', (url) => put(url, reel.subarray(1), whole(reel)), 400],
    ['a part that was not announced', (url) => put(url, reel.subarray(0, 100), `bytes 0-99/${reel.length}`), 400],
    ['the token of another user', (url) => put(`${url}0`, reel, whole(reel)), 403],
    ['an unknown upload', (url) => put(url.replace(/upload_id=\d+/, 'upload_id=1'), reel, whole(reel)), 404],
  ])('is rejected with %s, and can still be sent', async (_, send, status) => {
    const { publish_id, upload_url } = await init(video(reel.length));
    expect((await send(upload_url)).status).toBe(status);
    expect(await statusOf(publish_id)).toMatchObject({ status: 'PROCESSING_UPLOAD', uploaded_bytes: 0 });
    expect((await put(upload_url, reel, whole(reel))).status).toBe(201);
  });

  it('can be uploaded for an hour', async () => {
    const { upload_url } = await init(video(reel.length));
    sandbox.clock.aheadMs = 3_600_001;
    const late = await put(upload_url, reel, whole(reel));
    sandbox.clock.aheadMs = 0;
    expect(late.status).toBe(403);
  });

  it('fails later if it is invalid, or if a fault says so', async () => {
    const text = Buffer.from('this is not a video');
    const { publish_id, upload_url } = await init(video(text.length));
    expect((await put(upload_url, text, whole(text))).status).toBe(201);
    expect(await finalStatus(publish_id)).toMatchObject({ status: 'FAILED', fail_reason: 'file_format_check_failed' });
    const fault = { type: 'processing_error', message: 'internal' };
    await sandbox.control('/faults', { platform: 'tiktok', call: 'tiktok.upload_chunk', times: 1, fault });
    const other = await init(video(reel.length));
    await put(other.upload_url, reel, whole(reel));
    expect(await finalStatus(other.publish_id)).toMatchObject({ status: 'FAILED', fail_reason: 'internal' });
  });

  it('for friends has no public id', async () => {
    const { publish_id, upload_url } = await init(video(reel.length, {}, { privacy_level: 'MUTUAL_FOLLOW_FRIENDS' }));
    await put(upload_url, reel, whole(reel));
    expect(await finalStatus(publish_id)).toMatchObject({ status: 'PUBLISH_COMPLETE', publicaly_available_post_id: [] });
  });
});

describe('photos', () => {
  const start = (body: object) => user.post('/post/publish/content/init/', body);

  it('are fetched, published, and found by their text', async () => {
    const { body } = await start(photos(['square.jpg', 'square.webp']));
    expect(await statusOf(body.data.publish_id)).toMatchObject({ status: expect.stringMatching(/PROCESSING_DOWNLOAD|PUBLISH_COMPLETE/) });
    const { publicaly_available_post_id } = await until(
      () => statusOf(body.data.publish_id),
      (one) => one.publicaly_available_post_id.length > 0,
    );
    const [id] = publicaly_available_post_id as [string];
    const listed = await user.post('/video/list/?fields=id,title,video_description,share_url', { max_count: 1 });
    expect(listed.body.data.videos).toEqual([
      { id, title: 'Fresh', video_description: 'coffee', share_url: `https://www.tiktok.com/@fanfare_demo/photo/${id}` },
    ]);
    const byVideoPath = await sandbox.call(`https://www.tiktok.com/@fanfare_demo/video/${id}`);
    expect(byVideoPath.headers.get('location')).toBe(`../photo/${id}`);
    expect((await sandbox.call(`https://www.tiktok.com/@fanfare_demo/photo/${id}`)).text).toContain('coffee');
    const { body: posts } = await sandbox.control('/posts?platform=tiktok');
    expect(posts.items.at(-1)).toMatchObject({ kind: 'carousel', state: 'live', media: [{ kind: 'image' }, { kind: 'image' }] });
  });

  it.each([
    ['a PNG', 'square.png', 'file_format_check_failed'],
    ['a file that is not an image', 'text.jpg', 'file_format_check_failed'],
    ['more than 20 MB', 'heavy.jpg', 'picture_size_check_failed'],
    ['a redirect', 'moved.jpg', 'photo_pull_failed'],
    ['a missing file', 'nothing.jpg', 'photo_pull_failed'],
  ])('fail later with %s', async (_, file, fail_reason) => {
    const { body } = await start(photos(['square.jpg', file]));
    expect(await finalStatus(body.data.publish_id)).toMatchObject({ status: 'FAILED', fail_reason });
  });

  it.each<[string, () => object]>([
    ['none', () => photos([])],
    ['more than 35', () => photos(Array.from({ length: 36 }, () => 'square.jpg'))],
    ['a missing cover', () => photos(['square.jpg'], everyone, { photo_cover_index: 1 })],
    ['a long title', () => photos(['square.jpg'], { ...everyone, title: 'a'.repeat(91) })],
    ['a long description', () => photos(['square.jpg'], { ...everyone, description: 'a'.repeat(4_001) })],
    ['a field of videos', () => photos(['square.jpg'], { ...everyone, is_aigc: true })],
    ['uploaded bytes', () => photos(['square.jpg'], everyone, { source: 'FILE_UPLOAD' })],
    ['no privacy level', () => photos(['square.jpg'], { privacy_level: undefined })],
  ])('are rejected with %s', async (_, body) => {
    expect(await start(body())).toMatchObject({ status: 400, body: { error: { code: 'invalid_params' } } });
  });

  it('are rejected with a privacy level that the account does not offer', async () => {
    const response = await start(photos(['square.jpg'], { privacy_level: 'FOLLOWER_OF_CREATOR' }));
    expect(response).toMatchObject({ status: 403, body: { error: { code: 'privacy_level_option_mismatch' } } });
  });
});

describe('a status', () => {
  it('is shown only to the user of the post', async () => {
    const { body } = await sandbox.control('/accounts', { platform: 'tiktok', username: 'other', name: 'Other' });
    const other = await connect(sandbox, allScopes, body.id);
    expect(other.tokens['open_id']).toBe(body.id);
    const { publish_id } = await init(video(reel.length));
    expect(await other.post('/post/publish/status/fetch/', { publish_id })).toMatchObject({
      status: 400,
      body: { error: { code: 'token_not_authorized_for_specified_publish_id' } },
    });
    const response = await user.post('/post/publish/status/fetch/', { publish_id: `${publish_id}0` });
    expect(response).toMatchObject({ status: 400, body: { error: { code: 'invalid_publish_id' } } });
  });

  it('rejects paths without a trailing slash, and other methods', async () => {
    expect((await user.post('/post/publish/status/fetch', { publish_id: '1' })).status).toBe(404);
    expect((await user.get('/post/publish/status/fetch/')).status).toBe(404);
  });
});

describe('limits', () => {
  const limited = async (
    env: Record<string, string>,
    use: (own: RunningSandbox, user: Awaited<ReturnType<typeof connect>>) => Promise<void>,
  ) => {
    const own = await runningSandbox(env);
    try {
      await use(own, await connect(own));
    } finally {
      await own.stop();
    }
  };

  it('are six started posts per minute, and fifteen per day', async () => {
    await limited({}, async (own, poster) => {
      const begin = async () => (await poster.post('/post/publish/video/init/', video(1_000))).body.error.code as string;
      const codes: string[] = [];
      for (let minute = 0; minute < 3; minute++) {
        own.clock.aheadMs = minute * 60_001;
        for (let n = 0; n < 7; n++) codes.push(await begin());
      }
      const six = Array.from({ length: 6 }, () => 'ok');
      const capped = [...six.slice(0, 3), ...Array.from({ length: 3 }, () => 'spam_risk_too_many_posts')];
      expect(codes).toEqual([...six, 'rate_limit_exceeded', ...six, 'rate_limit_exceeded', ...capped, 'rate_limit_exceeded']);
    });
  });

  it('limit what an app may do', async () => {
    const apps = [
      {
        platform: 'tiktok',
        client_id: app.client_key,
        client_secret: app.client_secret,
        audited: false,
        url_prefixes: ['https://media.example.com/'],
      },
    ];
    await limited({ SANDBOX_APPS: JSON.stringify(apps) }, async (_own, poster) => {
      expect(await poster.post('/post/publish/video/init/', video(1_000))).toMatchObject({
        status: 403,
        body: { error: { code: 'unaudited_client_can_only_post_to_private_accounts' } },
      });
      expect((await poster.post('/post/publish/video/init/', video(1_000, {}, { privacy_level: 'SELF_ONLY' }))).status).toBe(200);
      expect(await poster.post('/post/publish/content/init/', photos(['square.jpg']))).toMatchObject({
        status: 403,
        body: { error: { code: 'url_ownership_unverified' } },
      });
    });
  });
});
