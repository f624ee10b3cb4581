import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { basic, connectPage, connectX, mediaServer, proof, runningSandbox, queryOf, until } from './running-sandbox.ts';

it('keeps every exchange as the real host would have seen it', async () => {
  const sandbox = await runningSandbox();
  const user = await connectX(sandbox);
  await user.post('tweets', { text: 'Hello', reply_settings: 'following' });
  const form = new FormData();
  form.set('media_category', 'tweet_image');
  form.set('media', new Blob(['abc'], { type: 'image/png' }), 'a.png');
  await user.form('media/upload', form);
  const { items } = (await sandbox.control('/requests?platform=x&path=/2/')).body;
  const [tokens, tweet, uploaded] = items;
  expect(tweet).toMatchObject({
    platform: 'x',
    operation: 'x.create_post',
    host: 'api.x.com',
    method: 'POST',
    path: '/2/tweets',
    query: {},
    headers: { host: 'api.x.com', 'content-type': 'application/json' },
    body: { text: 'Hello', reply_settings: 'following' },
    status: 201,
    response: { data: { text: 'Hello' } },
    duration_ms: expect.any(Number),
    completed: true,
    fault: null,
  });
  expect(uploaded.body).toMatchObject({
    media_category: 'tweet_image',
    media: {
      file_name: 'a.png',
      content_type: 'image/png',
      size: 3,
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    },
  });
  expect((await sandbox.control(`/requests?since=${tokens.seq}&limit=1`)).body.items).toMatchObject([{ seq: uploaded.seq }]);
  expect((await sandbox.control('/requests?path=/2/media/**')).body.items).toHaveLength(1);
  expect((await sandbox.control('/requests?limit=lots')).status).toBe(400);
  await sandbox.control('/requests', undefined, 'DELETE');
  expect((await sandbox.control('/requests')).body.items).toEqual([]);
  await sandbox.stop();
});

it('shows no secret anywhere, but distinguishes them', async () => {
  const sandbox = await runningSandbox();
  const page = await connectPage(sandbox);
  const user = await connectX(sandbox);
  await page.get(`${page.pageId}/published_posts`);
  await sandbox.call(`https://graph.facebook.com/v25.0/${page.pageId}`, { headers: { authorization: `Bearer ${page.token}` } });
  const listed = await page.post(`${page.pageId}/feed`, { message: `my token is ${page.token}` });
  expect(listed.status).toBe(200);
  const form = { grant_type: 'refresh_token', refresh_token: user.tokens.refresh_token, client_id: 'sandbox-x' };
  await sandbox.call('https://api.x.com/2/oauth2/token', { form, headers: { authorization: basic } });
  const { text, body } = await sandbox.control('/requests');
  const secrets = [
    page.token,
    page.userToken,
    page.code,
    proof(page.token),
    proof(page.userToken),
    'sandbox-facebook-secret',
    user.tokens.access_token,
    user.tokens.refresh_token,
    user.exchange.code,
    user.exchange.code_verifier,
    basic.slice('Basic '.length),
  ];
  for (const secret of secrets) expect(text).not.toContain(secret);
  const reads = body.items.filter((one: { path: string }) => one.path.includes(page.pageId));
  expect(reads[0].query.access_token).toMatch(/^\*\*\*\w+/);
  expect(reads[1].headers.authorization).toBe(`Bearer ${reads[0].query.access_token}`);
  expect(body.items.find((one: { operation: string }) => one.operation === 'facebook.authorize').response.location).toMatch(/code=\*\*\*/);
  await sandbox.stop();
});

it('shows a timeline that no caption can break', async () => {
  const sandbox = await runningSandbox();
  const media = await mediaServer();
  const page = await connectPage(sandbox);
  const nasty = '<img src=x onerror=alert(1)>"\'</p><script>';
  await page.post(`${page.pageId}/photos`, { url: media.url('square.jpg'), message: nasty, alt_text_custom: nasty });
  await sandbox.control('/accounts', { platform: 'x', username: 'nasty', name: nasty });
  const shown = await sandbox.call('/');
  expect(shown.text).toContain('&#60;img src=x onerror=alert(1)&#62;');
  expect(shown.text).not.toMatch(/<script|onerror=alert\(1\)>/);
  expect(shown.text).toContain('/_control/media/');
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
  await sandbox.stop();
  await media.stop();
});

it('plays a video from its file, behind its cover, and stops reloading on request', async () => {
  const sandbox = await runningSandbox();
  const media = await mediaServer();
  const page = await connectPage(sandbox, 'instagram');
  const reel = { media_type: 'REELS', video_url: media.url('reel.mp4'), cover_url: media.url('square.jpg') };
  const { id } = (await page.post(`${page.instagramId}/media`, reel)).body;
  await until(
    () => page.get(id, { fields: 'status_code' }),
    ({ body }) => body.status_code === 'FINISHED',
  );
  await page.post(`${page.instagramId}/media_publish`, { creation_id: id });
  const shown = await sandbox.call('/');
  expect(shown.headers.get('content-security-policy')).toContain("media-src 'self'");
  const [, src, poster] = /<video controls preload="metadata" playsinline src="([^"]+)" poster="([^"]+)"/.exec(shown.text) ?? [];
  expect((await sandbox.call(poster!)).headers.get('content-type')).toBe('image/webp');
  const part = await fetch(`${sandbox.url}${src}`, { headers: { range: 'bytes=0-99' } });
  expect(part.headers.get('content-type')).toBe('video/mp4');
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(media.bytes('reel.mp4').subarray(0, 100));
  expect(shown.text).toContain('http-equiv="refresh"');
  expect((await sandbox.call('/?still')).text).not.toContain('http-equiv="refresh"');
  expect((await sandbox.call('/_control/media/nothing/video')).status).toBe(404);
  await sandbox.control('/reset', {});
  expect((await sandbox.call(src!)).status).toBe(404);
  await sandbox.stop();
  await media.stop();
});

it('keeps accounts, tokens and posts across a restart, and deletes them on reset', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sandbox-'));
  const env = { SANDBOX_DATA_FILE: path.join(folder, 'data', 'sandbox.json') };
  const before = await runningSandbox(env);
  const demo = (await before.control('/accounts')).body.items.length;
  await before.control('/accounts', { platform: 'x', username: 'one_more', name: 'One more' });
  const user = await connectX(before);
  await user.post('tweets', { text: 'remember me' });
  await before.stop();
  const after = await runningSandbox(env);
  expect((await after.control('/posts')).body.items).toMatchObject([{ text: 'remember me' }]);
  const headers = { authorization: `Bearer ${user.tokens.access_token}` };
  expect((await after.call('https://api.x.com/2/users/me', { headers })).status).toBe(200);
  await after.control('/reset', {});
  expect((await after.control('/posts')).body.items).toEqual([]);
  expect((await after.call('https://api.x.com/2/users/me', { headers })).status).toBe(401);
  expect((await after.control('/accounts')).body.items).toHaveLength(demo);
  await after.stop();
  rmSync(folder, { recursive: true });
});

it('adds the account of a new platform to a stored world', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sandbox-'));
  const file = path.join(folder, 'sandbox.json');
  const before = await runningSandbox({ SANDBOX_DATA_FILE: file });
  await before.stop();
  const kept = JSON.parse(readFileSync(file, 'utf8'));
  kept.tables.accounts = kept.tables.accounts.filter(([, { platform }]: [string, { platform: string }]) => platform !== 'pinterest');
  writeFileSync(file, JSON.stringify(kept));
  const after = await runningSandbox({ SANDBOX_DATA_FILE: file });
  expect((await after.control('/accounts?platform=pinterest')).body.items).toHaveLength(1);
  await after.stop();
  rmSync(folder, { recursive: true });
});

it.each([
  ['a name with spaces', { platform: 'x', username: 'a b', name: 'A' }],
  ['a name that is in use', { platform: 'x', username: 'fanfare_demo', name: 'A' }],
  ['no platform', { username: 'a', name: 'A' }],
])('rejects an account with %s', async (_, fields) => {
  const sandbox = await runningSandbox();
  expect((await sandbox.control('/accounts', fields)).status).toBe(400);
  await sandbox.stop();
});

it('responds to probes and health, and names hosts that it does not simulate', async () => {
  const sandbox = await runningSandbox();
  for (const probe of ['/livez', '/readyz', '/_control/health'])
    expect(await sandbox.call(probe)).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(await sandbox.call('https://unknown.example/a')).toMatchObject({
    status: 404,
    body: { error: { message: expect.stringContaining('unknown.example') } },
  });
  await sandbox.stop();
});

it('uses the apps of its settings, and their rules', async () => {
  const apps = [{ platform: 'x', client_id: 'mine', client_secret: 's', redirect_uris: ['https://mine.example/back'] }];
  const sandbox = await runningSandbox({ SANDBOX_APPS: JSON.stringify(apps) });
  const query = {
    response_type: 'code',
    client_id: 'mine',
    scope: 'tweet.read',
    state: 's',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  };
  const authorize = (redirect_uri: string) =>
    sandbox.call(`https://x.com/i/oauth2/authorize?${queryOf({ ...query, redirect_uri })}&_consent=allow`);
  expect((await authorize('https://mine.example/back')).status).toBe(302);
  expect((await authorize('https://mine.example/elsewhere')).status).toBe(400);
  await sandbox.stop();
  await expect(runningSandbox({ SANDBOX_APPS: '[{"platform":"x"}]' })).rejects.toThrow('client_id');
});
