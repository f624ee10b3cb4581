import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import {
  connectPage,
  mediaServer,
  proof,
  redirectUri,
  reel,
  runningSandbox,
  until,
  type RunningSandbox,
  queryOf,
} from '../running-sandbox.ts';

let sandbox: RunningSandbox;
let media: Awaited<ReturnType<typeof mediaServer>>;
let page: Awaited<ReturnType<typeof connectPage>>;

beforeAll(async () => {
  sandbox = await runningSandbox();
  media = await mediaServer();
  page = await connectPage(sandbox);
});
afterAll(async () => {
  await sandbox.stop();
  await media.stop();
});

describe('signing in', () => {
  it('issues a Page token without expiry, derived from a long-lived user token', async () => {
    const debug = await sandbox.call(
      `https://graph.facebook.com/v25.0/debug_token?input_token=${page.token}&access_token=sandbox-facebook|sandbox-facebook-secret`,
    );
    expect(debug.body.data).toMatchObject({
      type: 'PAGE',
      is_valid: true,
      expires_at: 0,
      profile_id: page.pageId,
      app_id: 'sandbox-facebook',
    });
  });

  it('accepts a code once', async () => {
    const again = await sandbox.call(
      `https://graph.facebook.com/v25.0/oauth/access_token?${queryOf({ client_id: 'sandbox-facebook', client_secret: 'sandbox-facebook-secret', redirect_uri: redirectUri, code: page.code })}`,
    );
    expect(again).toMatchObject({ status: 400, body: { error: { code: 100, error_subcode: 36009, type: 'OAuthException' } } });
  });

  it('shows a consent page, and reports a denial to the app', async () => {
    const dialog = `https://www.facebook.com/v25.0/dialog/oauth?client_id=sandbox-facebook&redirect_uri=${encodeURIComponent(redirectUri)}&scope=pages_show_list&state="><script>`;
    const shown = await sandbox.call(dialog);
    expect(shown).toMatchObject({ status: 200 });
    expect(shown.text).toContain('value="allow"');
    expect(shown.text).not.toContain('<script>');
    const denied = await sandbox.call(`${dialog}&_consent=deny`);
    const back = new URL(denied.headers.get('location')!);
    expect(back.origin + back.pathname).toBe(redirectUri);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'access_denied', state: '"><script>' });
  });

  it.each([
    ['an unknown app', 'client_id=nobody&redirect_uri=https://app.example/callback&scope=pages_show_list', 'Invalid App ID'],
    ['no redirect URI', 'client_id=sandbox-facebook&scope=pages_show_list', 'URL blocked'],
    [
      'an unknown scope',
      'client_id=sandbox-facebook&redirect_uri=https://app.example/callback&scope=rule_the_world',
      'Invalid Scopes: rule_the_world',
    ],
  ])('rejects %s on a page of its own', async (_, query, text) => {
    const rejected = await sandbox.call(`https://www.facebook.com/v25.0/dialog/oauth?${query}&_consent=allow`);
    expect(rejected.status).toBe(400);
    expect(rejected.text).toContain(text);
  });
});

describe('publishing', () => {
  it('accepts media of a server that speaks HTTP/1.0 and closes after the body', async () => {
    const image = media.bytes('square.jpg');
    const server = createServer((socket) =>
      socket.once('data', (request) => {
        socket.write('HTTP/1.0 200 OK\r\nContent-Type: image/jpeg\r\n\r\n');
        socket.end(request.toString().startsWith('HEAD ') ? '' : image);
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/old.jpg`;
    expect(await page.post(`${page.pageId}/photos`, { url, published: false })).toMatchObject({ status: 200 });
    await new Promise((resolve) => server.close(resolve));
  });

  it('posts text, rejects a repetition, and shows the post to the public', async () => {
    const made = await page.post(`${page.pageId}/feed`, { message: 'Good morning <b>all</b>', published: true });
    expect(made).toMatchObject({ status: 200, body: { id: expect.stringMatching(new RegExp(`^${page.pageId}_\\d+$`)) } });
    expect(JSON.parse(made.headers.get('x-business-use-case-usage')!)[page.pageId][0]).toMatchObject({
      type: 'pages',
      estimated_time_to_regain_access: 0,
    });
    const { body } = await page.get(made.body.id, { fields: 'permalink_url,message' });
    expect(body.permalink_url).toMatch(/^https:\/\/www\.facebook\.com\//);
    const shown = await sandbox.call(body.permalink_url);
    expect(shown.text).toContain('Good morning &#60;b&#62;all');
    expect(await page.post(`${page.pageId}/feed`, { message: 'Good morning <b>all</b>' })).toMatchObject({
      status: 400,
      body: { error: { code: 506 } },
    });
  });

  it('fetches an image from its URL and posts it', async () => {
    const made = await page.post(`${page.pageId}/photos`, {
      url: media.url('square.jpg'),
      message: 'One image',
      alt_text_custom: 'A cup',
    });
    expect(made.body).toMatchObject({ id: expect.any(String), post_id: expect.stringContaining(page.pageId) });
    expect(media.requests).toEqual(expect.arrayContaining(['HEAD /square.jpg', 'GET /square.jpg']));
    const { body } = await sandbox.control('/posts?platform=facebook');
    expect(body.items.at(-1)).toMatchObject({
      kind: 'photo',
      text: 'One image',
      media: [{ content_type: 'image/jpeg', width: 600, alt_text: 'A cup' }],
    });
    expect((await sandbox.call(body.items.at(-1).media[0].thumbnail_url)).headers.get('content-type')).toBe('image/webp');
  });

  it('keeps the order of several images, and uses each once', async () => {
    const first = await page.post(`${page.pageId}/photos`, { url: media.url('square.png'), published: false });
    const second = await page.post(`${page.pageId}/photos`, { url: media.url('second.jpg'), published: false });
    const attached_media = [second, first].map((one) => ({ media_fbid: one.body.id }));
    const made = await page.post(`${page.pageId}/feed`, { message: 'An album', attached_media });
    const { body } = await sandbox.control(`/posts?account=${page.pageId}`);
    expect(body.items.at(-1)).toMatchObject({ id: made.body.id, kind: 'album', media: [{ width: 500 }, { width: 600 }] });
    expect((await page.post(`${page.pageId}/feed`, { message: 'Again', attached_media })).body.error.error_subcode).toBe(1366051);
  });

  it('publishes a reel in three phases', async () => {
    const started = await page.post(`${page.pageId}/video_reels`, { upload_phase: 'start' });
    expect(started.body.upload_url).toBe(`https://rupload.facebook.com/video-upload/v25.0/${started.body.video_id}`);
    const early = await page.post(`${page.pageId}/video_reels`, {
      upload_phase: 'finish',
      video_id: started.body.video_id,
      video_state: 'PUBLISHED',
    });
    expect(early).toMatchObject({ status: 400, body: { error: { code: 100 } } });
    const headers = {
      authorization: `OAuth ${page.token}`,
      offset: '0',
      file_size: String(reel.length),
      'content-type': 'application/octet-stream',
    };
    expect((await sandbox.call(started.body.upload_url, { method: 'POST', body: new Uint8Array(reel), headers })).body).toEqual({
      success: true,
    });
    const finish = { upload_phase: 'finish', video_id: started.body.video_id, video_state: 'PUBLISHED', description: 'A reel' };
    expect((await page.post(`${page.pageId}/video_reels`, finish)).body).toMatchObject({ success: true });
    const ready = await until(
      () => page.get(started.body.video_id, { fields: 'status,permalink_url,post_id,length' }),
      ({ body }) => body.status.video_status === 'ready',
    );
    expect(ready.body).toMatchObject({
      length: 3,
      permalink_url: `https://www.facebook.com/reel/${started.body.video_id}`,
      status: { publishing_phase: { status: 'complete' } },
    });
    expect((await page.post(`${page.pageId}/video_reels`, finish)).status).toBe(400);
    expect((await page.post(`${started.body.video_id}/comments`, { message: 'First!' })).body).toHaveProperty('id');
  });

  it('keeps the preferred cover of a reel, and its label', async () => {
    const started = await page.post(`${page.pageId}/video_reels`, { upload_phase: 'start' });
    const headers = { authorization: `OAuth ${page.token}`, file_url: media.url('reel.mp4') };
    await sandbox.call(started.body.upload_url, { method: 'POST', headers });
    const cover = async (file: string, preferred: string) => {
      const form = new FormData();
      form.set('source', new Blob([new Uint8Array(media.bytes(file))], { type: 'image/jpeg' }), 'cover.jpg');
      form.set('is_preferred', preferred);
      return sandbox.call(`https://graph.facebook.com/v25.0/${started.body.video_id}/thumbnails?${page.query(page.token)}`, {
        method: 'POST',
        body: form,
      });
    };
    expect((await cover('tall.jpg', 'true')).body).toEqual({ success: true });
    expect((await cover('square.jpg', 'false')).body).toEqual({ success: true });
    expect((await cover('square.jpg', 'perhaps')).status).toBe(400);
    const finish = { upload_phase: 'finish', video_id: started.body.video_id, video_state: 'PUBLISHED', description: 'Kneading' };
    expect((await page.post(`${page.pageId}/video_reels`, { ...finish, is_ai_generated: 'perhaps' })).status).toBe(400);
    expect((await page.post(`${page.pageId}/video_reels`, { ...finish, title: 'Dough', is_ai_generated: true })).status).toBe(200);
    const { body } = await sandbox.control('/posts?platform=facebook');
    expect(body.items.at(-1)).toMatchObject({
      kind: 'reel',
      details: { title: 'Dough', is_ai_generated: true, cover: { width: 300, height: 900 } },
    });
  });

  it('rejects a reel of 15 frames a second', async () => {
    const started = await page.post(`${page.pageId}/video_reels`, { upload_phase: 'start' });
    const slow = readFileSync('apps/sandbox/test/fixtures/slow-reel.mp4');
    const headers = {
      authorization: `OAuth ${page.token}`,
      offset: '0',
      file_size: String(slow.length),
      'content-type': 'application/octet-stream',
    };
    await sandbox.call(started.body.upload_url, { method: 'POST', body: new Uint8Array(slow), headers });
    await page.post(`${page.pageId}/video_reels`, { upload_phase: 'finish', video_id: started.body.video_id, video_state: 'PUBLISHED' });
    const failed = await until(
      () => page.get(started.body.video_id, { fields: 'status' }),
      ({ body }) => body.status.video_status !== 'processing',
    );
    expect(failed.body.status).toMatchObject({ video_status: 'error', processing_phase: { errors: [{ code: 1_363_129 }] } });
  });

  it('publishes a video from its URL after it is processed', async () => {
    const made = await page.post(`${page.pageId}/videos`, { file_url: media.url('reel.mp4'), description: 'A video' });
    await until(
      () => page.get(made.body.id, { fields: 'status' }),
      ({ body }) => body.status.video_status === 'ready',
    );
    const listed = await page.get(`${page.pageId}/published_posts`, {
      fields: 'id,message,permalink_url,attachments{media_type,target},comments.limit(0).summary(true)',
    });
    expect(listed.body.data[0]).toMatchObject({
      message: 'A video',
      attachments: { data: [{ media_type: 'video', target: { id: made.body.id, url: listed.body.data[0].permalink_url } }] },
      comments: { summary: { total_count: 0 } },
    });
  });

  it('pages through published posts, newest first', async () => {
    const first = await page.get(`${page.pageId}/published_posts`, { limit: '1' });
    const next = `${first.body.paging.next}&appsecret_proof=${proof(page.token)}`;
    const second = await sandbox.call(next);
    expect(second.body.data).toHaveLength(1);
    expect(second.body.data[0].id).not.toBe(first.body.data[0].id);
  });

  it('deletes what was posted', async () => {
    const made = await page.post(`${page.pageId}/feed`, { message: 'A mistake' });
    const removed = await sandbox.call(`https://graph.facebook.com/v25.0/${made.body.id}?${page.query(page.token)}`, { method: 'DELETE' });
    expect(removed.body).toEqual({ success: true });
    expect(await page.get(made.body.id)).toMatchObject({ status: 400, body: { error: { code: 100, error_subcode: 33 } } });
  });
});

describe('strictness', () => {
  const error = (code: number, subcode?: number) => ({
    error: { code, ...(subcode !== undefined && { error_subcode: subcode }), fbtrace_id: expect.any(String) },
  });

  it.each([
    ['too long a message', () => ({ message: 'x'.repeat(63_207) }), error(100)],
    ['an empty message', () => ({}), error(100)],
    ['an invalid link', () => ({ message: 'a', link: 'not a link' }), error(100, 1609005)],
    ['a link to itself', () => ({ message: 'a', link: 'https://www.facebook.com/x' }), error(100, 1609008)],
    ['a published that is not a boolean', () => ({ message: 'a', published: 'perhaps' }), error(100)],
    ['attached media that is not a list', () => ({ message: 'a', attached_media: '{}' }), error(100)],
    ['an image that was not uploaded', () => ({ message: 'a', attached_media: [{ media_fbid: '1' }] }), error(100, 1366041)],
  ])('rejects %s', async (_, fields, expected) => {
    expect(await page.post(`${page.pageId}/feed`, fields())).toMatchObject({ status: 400, body: expected });
  });

  it.each([
    ['an image behind a redirect', 'moved.jpg', error(324, 2069019)],
    ['an image that cannot be requested with HEAD', 'no-head.jpg', error(324, 2069019)],
    ['an image that is missing', 'nothing.jpg', error(324, 2069019)],
    ['a page instead of an image', 'page.html', error(324, 2069019)],
    ['bytes that are not an image', 'text.jpg', error(324, 2069019)],
    ['WebP', 'square.webp', error(100, 1366046)],
  ])('rejects %s', async (_, file, expected) => {
    expect(await page.post(`${page.pageId}/photos`, { url: media.url(file) })).toMatchObject({ status: 400, body: expected });
  });

  it.each([
    ['no token', () => '', 400, error(104)],
    ['a malformed token', () => 'access_token=abc', 401, error(190)],
    ['no proof', () => `access_token=${page.token}`, 400, error(100)],
    ['the proof of another token', () => `access_token=${page.token}&appsecret_proof=${proof('other')}`, 400, error(100)],
    ["a person's token where the Page's is needed", () => page.query(page.userToken), 400, error(190, 2069032)],
  ])('rejects %s', async (_, query, status, expected) => {
    expect(
      await sandbox.call(`https://graph.facebook.com/v25.0/${page.pageId}/feed?${query()}`, { json: { message: 'no' } }),
    ).toMatchObject({ status, body: expected });
  });

  it.each([
    ['an unknown object', 'v25.0/99999', error(100, 33)],
    ['an unknown edge', 'v25.0/me/nonsense', error(2500)],
    ['a version that does not exist yet', 'v99.0/me', error(2500)],
    ['a path without a version', 'me', error(2500)],
  ])('responds to %s like the Graph API', async (_, path, expected) => {
    expect(await sandbox.call(`https://graph.facebook.com/${path}?${page.query(page.token)}`)).toMatchObject({
      status: 400,
      body: expected,
    });
  });

  it('rejects an unknown parameter, and names it', async () => {
    const rejected = (named: string) => ({
      status: 400,
      body: { error: { code: 100, type: 'OAuthException', message: expect.stringContaining(`Unknown parameter ${named}:`) } },
    });
    expect(await page.post(`${page.pageId}/feed`, { message: 'no', mesage: 'no' })).toMatchObject(rejected('mesage'));
    expect(await page.get(page.pageId, { feilds: 'name' })).toMatchObject(rejected('feilds'));
    expect(await page.get(`${page.pageId}/published_posts`, { sinse: '1' })).toMatchObject(rejected('sinse'));
    const spare = new FormData();
    spare.set('sauce', new Blob(['x'], { type: 'image/png' }), 'a.png');
    const sent = await sandbox.call(`https://graph.facebook.com/v25.0/${page.pageId}/photos?${page.query(page.token)}`, {
      method: 'POST',
      body: spare,
    });
    expect(sent).toMatchObject(rejected('sauce'));
    expect(await page.post(`${page.pageId}/feed`, { message: 'no', ['__proto__']: 'no' })).toMatchObject(rejected('__proto__'));
    expect(await page.get(page.pageId, { fields: 'toString' })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('nonexisting field (toString)') } },
    });
    const list = { 'attached_media[0]': { media_fbid: '1' }, 'attached_media[x]': '1' };
    expect(await page.post(`${page.pageId}/feed`, list)).toMatchObject(rejected('attached_media[x]'));
  });

  it.each([
    ['without a version', '/dialog/oauth?client_id=sandbox-facebook', 'names no version'],
    ['with an unknown parameter', '/v25.0/dialog/oauth?client_id=sandbox-facebook&colour=red', 'Unknown parameter colour'],
  ])('rejects a login %s', async (_, path, text) => {
    expect(await sandbox.call(`https://www.facebook.com${path}`)).toMatchObject({ status: 400, text: expect.stringContaining(text) });
  });

  it('serves an expired version with the oldest available one', async () => {
    const old = await sandbox.call(`https://graph.facebook.com/v19.0/${page.pageId}?${page.query(page.token)}`);
    expect(old.status).toBe(200);
    expect(old.headers.get('facebook-api-version')).toBe('v21.0');
  });

  it('names a field that does not exist', async () => {
    expect((await page.get(page.pageId, { fields: 'name,shoe_size' })).body.error.message).toContain('(shoe_size) on node type (Page)');
  });

  it('names the permission that a token lacks', async () => {
    const reader = await connectPage(sandbox, 'facebook', 'pages_show_list,pages_read_engagement');
    expect(await reader.post(`${reader.pageId}/feed`, { message: 'no' })).toMatchObject({ status: 403, body: error(200) });
  });

  it('ends a session when the person revokes the permission', async () => {
    const other = await connectPage(sandbox);
    await sandbox.control(`/accounts/${other.pageId}/revoke`, {});
    expect(await other.get(other.pageId)).toMatchObject({ status: 401, body: error(190, 458) });
    page = await connectPage(sandbox);
    expect((await page.get(page.pageId)).status).toBe(200);
  });
});
