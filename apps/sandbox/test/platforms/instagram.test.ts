import { connectPage, mediaServer, redirectUri, reel, runningSandbox, until, type RunningSandbox, queryOf } from '../running-sandbox.ts';

let sandbox: RunningSandbox;
let media: Awaited<ReturnType<typeof mediaServer>>;
let page: Awaited<ReturnType<typeof connectPage>>;
let ig: string;

beforeAll(async () => {
  sandbox = await runningSandbox();
  media = await mediaServer();
  page = await connectPage(sandbox, 'instagram');
  ig = page.instagramId;
});
afterAll(async () => {
  await sandbox.stop();
  await media.stop();
});

const status = (id: string) => page.get(id, { fields: 'status_code,status' });
const finished = (id: string) =>
  until(
    () => status(id),
    ({ body }) => body.status_code !== 'IN_PROGRESS',
  );

async function container(fields: Record<string, unknown>): Promise<string> {
  const made = await page.post(`${ig}/media`, fields);
  expect(made.status).toBe(200);
  await finished(made.body.id);
  return made.body.id;
}

describe('publishing', () => {
  it('goes from container to post, once', async () => {
    const id = await container({ image_url: media.url('square.jpg'), caption: 'Latte art', alt_text: 'A heart of milk' });
    const made = await page.post(`${ig}/media_publish`, { creation_id: id });
    const { body } = await page.get(made.body.id, { fields: 'permalink,shortcode,caption,media_type' });
    expect(body).toMatchObject({ permalink: `https://www.instagram.com/p/${body.shortcode}/`, caption: 'Latte art', media_type: 'IMAGE' });
    expect((await sandbox.call(body.permalink)).text).toContain('Latte art');
    expect((await status(id)).body.status_code).toBe('PUBLISHED');
    expect(await page.post(`${ig}/media_publish`, { creation_id: id })).toMatchObject({
      status: 400,
      body: { error: { code: 9007, error_subcode: 2207027 } },
    });
    expect((await page.get(`${ig}/media`, { fields: 'id,caption,timestamp,permalink' })).body.data).toMatchObject([
      { id: made.body.id, caption: 'Latte art' },
    ]);
    expect((await page.post(`${made.body.id}/comments`, { message: 'First!' })).body).toHaveProperty('id');
    expect((await page.get(`${made.body.id}/comments`)).body.data).toMatchObject([{ text: 'First!' }]);
    expect((await page.get(`${ig}/content_publishing_limit`, { fields: 'quota_usage,config' })).body.data).toMatchObject([
      { quota_usage: 1, config: { quota_total: 100, quota_duration: 86_400 } },
    ]);
  });

  it('publishes a carousel of its finished children, in order', async () => {
    const first = await container({ image_url: media.url('second.jpg'), is_carousel_item: true });
    const second = await container({ media_type: 'VIDEO', video_url: media.url('reel.mp4'), is_carousel_item: true });
    const parent = await container({ media_type: 'CAROUSEL', children: `${first},${second}`, caption: 'Two' });
    await page.post(`${ig}/media_publish`, { creation_id: parent });
    const { body } = await sandbox.control('/posts?platform=instagram');
    expect(body.items.at(-1)).toMatchObject({ kind: 'carousel', text: 'Two', media: [{ kind: 'image', width: 500 }, { kind: 'video' }] });
  });

  it('publishes a reel from its URL, and from bytes', async () => {
    const pulled = await container({
      media_type: 'REELS',
      video_url: media.url('reel.mp4'),
      caption: 'Pulled',
      cover_url: media.url('square.jpg'),
    });
    const made = await page.post(`${ig}/media_publish`, { creation_id: pulled });
    expect((await page.get(made.body.id, { fields: 'permalink' })).body.permalink).toMatch(/\/reel\//);
    const sent = await page.post(`${ig}/media`, { media_type: 'REELS', upload_type: 'resumable', caption: 'Sent' });
    const headers = {
      authorization: `OAuth ${page.token}`,
      offset: '0',
      file_size: String(reel.length),
      'content-type': 'application/octet-stream',
    };
    await sandbox.call(sent.body.uri, { method: 'POST', body: new Uint8Array(reel), headers });
    expect((await finished(sent.body.id)).body.status_code).toBe('FINISHED');
  });

  const lastPost = async () => (await sandbox.control('/posts?platform=instagram')).body.items.at(-1);

  it('keeps the other options of a post, and shows them', async () => {
    const reel = { media_type: 'REELS', video_url: media.url('reel.mp4'), caption: 'Kneading', cover_url: media.url('tall.jpg') };
    const id = await container({
      ...reel,
      collaborators: '["acme.bread","mill"]',
      user_tags: [{ username: 'baker' }],
      ...{ location_id: '7640348500', is_ai_generated: true, share_to_feed: false, audio_name: 'Dough', thumb_offset: 1_000 },
      trial_params: '{"graduation_strategy":"MANUAL"}',
    });
    await page.post(`${ig}/media_publish`, { creation_id: id });
    expect(await lastPost()).toMatchObject({
      kind: 'reel',
      details: {
        collaborators: ['acme.bread', 'mill'],
        user_tags: [{ username: 'baker' }],
        cover: { width: 300, height: 900 },
        ...{ location_id: '7640348500', is_ai_generated: true, share_to_feed: false, audio_name: 'Dough', thumb_offset: 1_000 },
        trial_params: { graduation_strategy: 'MANUAL' },
      },
    });
    const { text } = await sandbox.call('/');
    expect(text).toContain('<dt>With</dt><dd>@acme.bread, @mill</dd>');
  });

  it.each([
    ['an image', () => ({ image_url: media.url('square.jpg') }), [{ username: 'baker', x: 0.5, y: 1 }]],
    ['a video', () => ({ video_url: media.url('reel.mp4') }), [{ username: 'baker' }]],
  ])('tags people in a story of %s', async (_, source, user_tags) => {
    const id = await container({ media_type: 'STORIES', ...source(), user_tags });
    await page.post(`${ig}/media_publish`, { creation_id: id });
    expect(await lastPost()).toMatchObject({ kind: 'story', details: { user_tags } });
  });

  it('publishes stories of any ratio, without text or comments', async () => {
    const id = await container({ media_type: 'STORIES', image_url: media.url('tall.jpg') });
    const made = await page.post(`${ig}/media_publish`, { creation_id: id });
    expect(await lastPost()).toMatchObject({ kind: 'story', text: '', media: [{ width: 300, height: 900 }] });
    expect((await page.get(`${ig}/stories`, { fields: 'id' })).body.data[0]).toEqual({ id: made.body.id });
    expect((await page.post(`${made.body.id}/comments`, { message: 'First!' })).status).toBe(400);
  });

  it('expires a container after a day', async () => {
    const id = await container({ image_url: media.url('square.jpg') });
    sandbox.clock.aheadMs = 24 * 3600_000 + 1000;
    const expired = await status(id);
    const rejected = await page.post(`${ig}/media_publish`, { creation_id: id });
    sandbox.clock.aheadMs = 0;
    expect(expired.body.status_code).toBe('EXPIRED');
    expect(rejected.body.error.error_subcode).toBe(2207020);
  });
});

describe('strictness', () => {
  it.each([
    ['PNG', () => ({ image_url: media.url('square.png') }), 36_001, 2207005],
    ['an image that is too tall', () => ({ image_url: media.url('tall.jpg') }), 36_003, 2207009],
    ['a URL that redirects', () => ({ image_url: media.url('moved.jpg') }), 9004, 2207052],
    ['a URL with another scheme', () => ({ image_url: 'http://example.com/a.jpg' }), 9004, 2207052],
    ['a caption that is too long', () => ({ image_url: media.url('square.jpg'), caption: 'x'.repeat(2201) }), 36_004, 2207010],
    ['31 hashtags', () => ({ image_url: media.url('square.jpg'), caption: '#a '.repeat(31) }), 100, 2207040],
    ['21 mentions', () => ({ image_url: media.url('square.jpg'), caption: '@a '.repeat(21) }), 100, 2207040],
    ['a feed video that is not a reel', () => ({ media_type: 'VIDEO', video_url: media.url('reel.mp4') }), 100, 2207023],
    ['an unknown media type', () => ({ media_type: 'POEM', image_url: media.url('square.jpg') }), 100, 2207023],
    ['a carousel of one', () => ({ media_type: 'CAROUSEL', children: '1' }), 100, 2207028],
    ['a carousel of unknown children', () => ({ media_type: 'CAROUSEL', children: '1,2' }), 24, 2207008],
  ])('rejects %s', async (_, fields, code, subcode) => {
    expect(await page.post(`${ig}/media`, fields())).toMatchObject({
      status: 400,
      body: { error: { code, error_subcode: subcode, error_user_msg: expect.any(String) } },
    });
  });

  it.each([
    ['four co-authors', { collaborators: ['a', 'b', 'c', 'd'] }, 2207040],
    ['21 people in an image', { user_tags: Array.from({ length: 21 }, () => ({ username: 'a', x: 0, y: 0 })) }, 2207040],
    ['a tag without a position', { user_tags: [{ username: 'baker' }] }, undefined],
    ['a tag outside the image', { user_tags: [{ username: 'baker', x: 2, y: 0 }] }, undefined],
    ['a tag with an @ before the name', { user_tags: [{ username: '@baker', x: 0, y: 0 }] }, undefined],
    ['a location that is not a page', { location_id: 'Munich' }, undefined],
    ['a label that is not a boolean', { is_ai_generated: 'perhaps' }, undefined],
    ['a cover of an image', { cover_url: 'https://example.com/a.jpg' }, undefined],
    ['a frame of an image', { thumb_offset: 5 }, undefined],
    ['an unknown location', { location_id: '42' }, undefined],
    ['an alt text of 1,001 characters', { alt_text: 'a'.repeat(1_001) }, undefined],
    ['a story with an alt text', { media_type: 'STORIES', alt_text: 'A cup' }, undefined],
    ['a story with half a position', { media_type: 'STORIES', user_tags: [{ username: 'baker', x: 0 }] }, undefined],
    ['a story with co-authors', { media_type: 'STORIES', collaborators: ['a'] }, undefined],
    ['a carousel item with a caption', { is_carousel_item: true, caption: 'One' }, undefined],
  ])('rejects %s', async (_, fields, error_subcode) => {
    expect(await page.post(`${ig}/media`, { image_url: media.url('square.jpg'), ...fields })).toMatchObject({
      status: 400,
      body: { error: { code: 100, ...(error_subcode && { error_subcode }) } },
    });
  });

  it.each([
    ['a tag with a position', { user_tags: [{ username: 'baker', x: 0, y: 0 }] }],
    ['a description', { alt_text: 'Kneading' }],
    ['a trial without an end', { trial_params: { graduation_strategy: 'NEVER' } }],
  ])('rejects a reel with %s', async (_, fields) => {
    expect((await page.post(`${ig}/media`, { media_type: 'REELS', video_url: media.url('reel.mp4'), ...fields })).body.error.code).toBe(
      100,
    );
  });

  it('reports in the status what is wrong with a video', async () => {
    const made = await page.post(`${ig}/media`, { media_type: 'REELS', video_url: media.url('square.jpg') });
    expect((await finished(made.body.id)).body).toMatchObject({ status_code: 'ERROR', status: expect.stringContaining('2207026') });
    expect((await page.post(`${ig}/media_publish`, { creation_id: made.body.id })).body.error.error_subcode).toBe(2207032);
  });

  it('does not publish media that is still being processed', async () => {
    await sandbox.control('/faults', {
      platform: 'instagram',
      call: 'instagram.create_container',
      fault: { type: 'slow_processing', ms: 60_000 },
    });
    const made = await page.post(`${ig}/media`, { image_url: media.url('square.jpg') });
    expect((await status(made.body.id)).body.status_code).toBe('IN_PROGRESS');
    expect((await page.post(`${ig}/media_publish`, { creation_id: made.body.id })).body.error).toMatchObject({
      code: 9007,
      error_subcode: 2207027,
      error_user_title: 'Media ID is not available',
    });
  });

  it('does not show an account that the token cannot access', async () => {
    const other = await sandbox.control('/accounts', { platform: 'instagram', username: 'someone.else', name: 'Someone Else' });
    expect((await page.post(`${other.body.id}/media`, { image_url: media.url('square.jpg') })).body.error).toMatchObject({
      code: 100,
      error_subcode: 33,
    });
  });

  it('rejects posts beyond the daily quota', async () => {
    const tight = await runningSandbox({ SANDBOX_LIMITS_FACTOR: '0.01' });
    const account = await connectPage(tight, 'instagram');
    const publish = async () => {
      const made = await account.post(`${account.instagramId}/media`, { image_url: media.url('square.jpg') });
      await until(
        () => account.get(made.body.id, { fields: 'status_code' }),
        ({ body }) => body.status_code === 'FINISHED',
      );
      return account.post(`${account.instagramId}/media_publish`, { creation_id: made.body.id });
    };
    expect((await publish()).status).toBe(200);
    expect((await publish()).body.error).toMatchObject({ code: 9, error_subcode: 2207042 });
    await tight.stop();
  });
});

describe('Instagram Login', () => {
  const scope = 'instagram_business_basic,instagram_business_content_publish';
  const client = { client_id: 'sandbox-instagram-login', client_secret: 'sandbox-instagram-login-secret' };

  it('goes from code to a refreshed long token, and publishes with it', async () => {
    const query = queryOf({ client_id: client.client_id, redirect_uri: redirectUri, response_type: 'code', scope, state: 's' });
    const allowed = await sandbox.call(`https://www.instagram.com/oauth/authorize?${query}&_consent=allow`);
    const code = new URL(allowed.headers.get('location')!).searchParams.get('code')!;
    const form = { ...client, grant_type: 'authorization_code', redirect_uri: redirectUri, code };
    const short = await sandbox.call('https://api.instagram.com/oauth/access_token', { form });
    expect(short.body).toMatchObject({ user_id: ig, permissions: scope.split(',') });
    expect(await sandbox.call('https://api.instagram.com/oauth/access_token', { form })).toMatchObject({
      status: 400,
      body: { error_type: 'OAuthException', code: 400 },
    });
    const graph = 'https://graph.instagram.com';
    const long = await sandbox.call(
      `${graph}/access_token?grant_type=ig_exchange_token&client_secret=${client.client_secret}&access_token=${short.body.access_token}`,
    );
    expect(long.body.expires_in).toBe(60 * 24 * 3600);
    const refresh = () => sandbox.call(`${graph}/refresh_access_token?grant_type=ig_refresh_token&access_token=${long.body.access_token}`);
    expect((await refresh()).status).toBe(400);
    sandbox.clock.aheadMs = 25 * 3600_000;
    const refreshed = await refresh();
    sandbox.clock.aheadMs = 0;
    expect(refreshed.body.access_token).not.toBe(long.body.access_token);
    const token = `access_token=${refreshed.body.access_token}`;
    expect((await sandbox.call(`${graph}/v25.0/me?fields=user_id,username&${token}`)).body).toMatchObject({
      user_id: ig,
      username: 'fanfare.demo.cafe',
    });
    const made = await sandbox.call(`${graph}/v25.0/${ig}/media?${token}`, { form: { image_url: media.url('square.jpg') } });
    await until(
      () => sandbox.call(`${graph}/v25.0/${made.body.id}?fields=status_code&${token}`),
      ({ body }) => body.status_code === 'FINISHED',
    );
    expect(
      (await sandbox.call(`${graph}/v25.0/${ig}/media_publish?creation_id=${made.body.id}&${token}`, { method: 'POST' })).body,
    ).toHaveProperty('id');
    // Neither host accepts the other's tokens.
    const unread = { status: 401, body: { error: { code: 190, message: 'Invalid OAuth access token - Cannot parse access token' } } };
    expect(await sandbox.call(`https://graph.facebook.com/v25.0/${ig}?${token}`)).toMatchObject(unread);
    expect(await sandbox.call(`${graph}/v25.0/${ig}?${page.query(page.token)}`)).toMatchObject(unread);
    expect(await sandbox.call(`${graph}/v25.0/me?${page.query(page.userToken)}`)).toMatchObject(unread);
  });

  it('requests its own scopes from the person, and only for its own apps', async () => {
    const page = (fields: object) =>
      sandbox.call(
        `https://www.instagram.com/oauth/authorize?${queryOf({ client_id: client.client_id, redirect_uri: redirectUri, response_type: 'code', scope, ...fields })}`,
      );
    expect((await page({})).text).toContain('<li><code>instagram_business_content_publish</code></li>');
    expect((await page({ scope: 'instagram_basic' })).text).toContain('Invalid scope');
    expect((await page({ client_id: 'sandbox-instagram' })).text).toContain('Invalid platform app');
    const facebook = queryOf({ client_id: client.client_id, redirect_uri: redirectUri, scope: 'instagram_basic' });
    expect((await sandbox.call(`https://www.facebook.com/v25.0/dialog/oauth?${facebook}`)).text).toContain('Invalid App ID');
  });

  it('rejects unknown parameters, and names them', async () => {
    const dialog = await sandbox.call(`https://www.instagram.com/oauth/authorize?client_id=${client.client_id}&colour=red`);
    expect(dialog).toMatchObject({ status: 400, text: expect.stringContaining('Unknown parameter colour') });
    const form = { ...client, grant_type: 'authorization_code', colour: 'red' };
    expect(await sandbox.call('https://api.instagram.com/oauth/access_token', { form })).toMatchObject({
      status: 400,
      body: { error_message: 'Unknown parameter colour' },
    });
    const sent = { image_url: media.url('square.jpg'), capton: 'Lost' };
    expect(await page.post(`${ig}/media`, sent)).toMatchObject({
      status: 400,
      body: { error: { code: 100, type: 'OAuthException', message: expect.stringContaining('Unknown parameter capton:') } },
    });
  });

  it('rejects a path without a version, except for the two calls that Meta documents without one', async () => {
    const at = (path: string) => sandbox.call(`https://graph.instagram.com/${path}?access_token=abc`);
    expect(await at('me')).toMatchObject({ status: 400, body: { error: { code: 2500, message: expect.stringContaining('no version') } } });
    expect((await at('refresh_access_token')).body.error.message).toContain('grant_type is required');
  });

  it('ends a session when it expires', async () => {
    sandbox.clock.aheadMs = 61 * 24 * 3600_000;
    const late = await sandbox.call(`https://graph.facebook.com/v25.0/me?${page.query(page.userToken)}`);
    sandbox.clock.aheadMs = 0;
    expect(late).toMatchObject({ status: 401, body: { error: { code: 190, error_subcode: 463 } } });
  });
});
