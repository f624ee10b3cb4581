import { api, authorize, codeFor, connectChannel, everything, scope, token, uploadUrl } from './connect-youtube.ts';
import { queryOf, reel, runningSandbox, s256, until, type RunningSandbox } from '../running-sandbox.ts';

const KiB = 1024;
let sandbox: RunningSandbox;
let channel: Awaited<ReturnType<typeof connectChannel>>;

beforeAll(async () => {
  sandbox = await runningSandbox();
  channel = await connectChannel(sandbox);
});
afterAll(() => sandbox.stop());

const video = (more: object = {}, status: object = {}) => ({
  snippet: { title: 'A video', description: 'All about it', categoryId: '22', ...more },
  status: { privacyStatus: 'public', selfDeclaredMadeForKids: false, ...status },
});
const wholeRange = `bytes 0-${reel.length - 1}/${reel.length}`;

async function session(json: unknown = video(), more: Record<string, string> = {}): Promise<string> {
  return (await channel.start(json, more)).headers.get('location')!;
}
async function upload(json: unknown = video()): Promise<string> {
  return (await channel.put(await session(json), wholeRange, reel)).body.id;
}
const statusOf = async (id: string) => (await channel.get(`videos?part=status&id=${id}`)).body.items[0].status;

describe('signing in with Google', () => {
  it('accepts a code once, with the right secret and redirect URI', async () => {
    const code = await codeFor(sandbox);
    const grant = { grant_type: 'authorization_code', code };
    expect(await token(sandbox, { ...grant, client_secret: 'wrong' })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(await token(sandbox, { ...grant, redirect_uri: 'https://other.example/' })).toMatchObject({
      body: { error: 'redirect_uri_mismatch' },
    });
    expect(await token(sandbox, grant)).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3599, scope: everything } });
    expect(await token(sandbox, grant)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it("checks a client's PKCE challenge", async () => {
    const verifier = 'v'.repeat(64);
    const challenge = { code_challenge: s256(verifier), code_challenge_method: 'S256' };
    const exchange = async (more: Record<string, string>) =>
      (await token(sandbox, { grant_type: 'authorization_code', code: await codeFor(sandbox, challenge), ...more })).status;
    expect(await exchange({})).toBe(400);
    expect(await exchange({ code_verifier: 'w'.repeat(64) })).toBe(400);
    expect(await exchange({ code_verifier: verifier })).toBe(200);
  });

  it('issues a refresh token for offline access only, and a second one only with consent', async () => {
    const granted = async (more: Record<string, string>) =>
      (await token(sandbox, { grant_type: 'authorization_code', code: await codeFor(sandbox, more) })).body.refresh_token;
    expect(await granted({ access_type: 'online' })).toBeUndefined();
    expect(await granted({ prompt: 'select_account' })).toBeUndefined();
    expect(await granted({ prompt: 'consent' })).toEqual(expect.stringMatching(/^sbxggr_/));
  });

  it('refreshes without another refresh token, and ends the whole grant when it is revoked', async () => {
    const { tokens } = await connectChannel(sandbox);
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token! };
    const fresh = await token(sandbox, refresh);
    expect(fresh.body).toEqual({ access_token: expect.any(String), expires_in: 3599, scope: everything, token_type: 'Bearer' });
    const revoke = () => sandbox.call('https://oauth2.googleapis.com/revoke', { form: { token: tokens.refresh_token! } });
    expect((await revoke()).status).toBe(200);
    expect(await revoke()).toMatchObject({ status: 400, body: { error: 'invalid_token' } });
    expect(await token(sandbox, refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const late = await sandbox.call(`${api}/channels?part=snippet&mine=true`, {
      headers: { authorization: `Bearer ${fresh.body.access_token}` },
    });
    expect(late).toMatchObject({ status: 401, body: { error: { status: 'UNAUTHENTICATED', errors: [{ reason: 'authError' }] } } });
  });

  it('ends access after an hour', async () => {
    sandbox.clock.aheadMs = 3600_000;
    expect((await channel.get('channels?part=snippet&mine=true')).status).toBe(401);
    sandbox.clock.aheadMs = 0;
  });

  it.each([
    ['an unknown app', { client_id: 'nobody' }],
    ['an unknown scope', { scope: scope('drive') }],
    ['no scope', { scope: '' }],
    ['an unknown parameter', { colour: 'red' }],
    ['an unknown prompt', { prompt: 'please' }],
    ['another response type', { response_type: 'token' }],
    ['an invalid redirect URI', { redirect_uri: 'app' }],
    ['an invalid challenge', { code_challenge: 'short' }],
  ])('rejects an authorization with %s', async (_, change) => {
    const page = await sandbox.call(`https://accounts.google.com/o/oauth2/v2/auth?${queryOf({ ...authorize, ...change })}&_consent=allow`);
    expect(page.status).toBe(400);
  });

  it('reports a denial to the app, and requests consent on a page', async () => {
    const url = `https://accounts.google.com/o/oauth2/v2/auth?${queryOf(authorize)}`;
    expect((await sandbox.call(url)).text).toContain('youtube.upload');
    expect((await sandbox.call(`${url}&_consent=deny`)).headers.get('location')).toContain('error=access_denied');
  });
});

describe('publishing', () => {
  it('accepts a video in one part and shows it', async () => {
    const id = await upload();
    const state = await until(
      () => statusOf(id),
      ({ uploadStatus }) => uploadStatus === 'processed',
    );
    expect(state).toMatchObject({ privacyStatus: 'public', selfDeclaredMadeForKids: false });
    const [post] = (await sandbox.control('/posts?platform=youtube')).body.items.slice(-1);
    expect(post).toMatchObject({
      id,
      kind: 'video',
      state: 'live',
      text: 'All about it',
      details: { title: 'A video' },
      media: [{ width: 540, height: 960 }],
    });
    expect((await sandbox.call(post.url)).text).toContain('All about it');
    const { body } = await channel.get('channels?part=contentDetails,statistics&mine=true');
    const { uploads } = body.items[0].contentDetails.relatedPlaylists;
    const listed = await channel.get(`playlistItems?part=snippet,contentDetails&maxResults=1&playlistId=${uploads}`);
    expect(listed.body.items).toMatchObject([{ snippet: { title: 'A video' }, contentDetails: { videoId: id } }]);
  });

  it('accepts a video in parts, and returns the progress', async () => {
    const size = 700 * KiB;
    const url = await session(video(), { 'x-upload-content-length': String(size) });
    const bytes = Buffer.alloc(size);
    expect((await channel.put(url, `bytes */${size}`)).headers.get('range')).toBeNull();
    const first = await channel.put(url, `bytes 0-${256 * KiB - 1}/${size}`, bytes.subarray(0, 256 * KiB));
    expect(first.status).toBe(308);
    expect(first.headers.get('range')).toBe(`bytes=0-${256 * KiB - 1}`);
    const probe = await channel.put(url, `bytes */${size}`);
    expect([probe.status, probe.headers.get('range')]).toEqual([308, `bytes=0-${256 * KiB - 1}`]);
    const last = await channel.put(url, `bytes ${256 * KiB}-${size - 1}/${size}`, bytes.subarray(256 * KiB));
    expect(last).toMatchObject({ status: 201, body: { id: expect.any(String), snippet: { title: 'A video' } } });
    expect(await channel.put(url, `bytes */${size}`)).toMatchObject({ status: 200, body: { id: last.body.id } });
    const failed = await until(
      () => statusOf(last.body.id),
      ({ uploadStatus }) => uploadStatus !== 'uploaded',
    );
    expect(failed).toMatchObject({ uploadStatus: 'failed', failureReason: 'invalidFile' });
  });

  it('processes for a while, and may reject', async () => {
    await sandbox.control('/faults', {
      platform: 'youtube',
      call: 'youtube.upload_last_part',
      fault: { type: 'slow_processing', ms: 30_000 },
    });
    const slow = await upload();
    expect(await statusOf(slow)).toMatchObject({ uploadStatus: 'uploaded' });
    const fault = { type: 'processing_error', message: 'copyright' };
    await sandbox.control('/faults', { platform: 'youtube', call: 'youtube.upload_last_part', fault });
    const id = await upload();
    const rejected = await until(
      () => statusOf(id),
      ({ uploadStatus }) => uploadStatus !== 'uploaded',
    );
    expect(rejected).toMatchObject({ uploadStatus: 'rejected', rejectionReason: 'copyright' });
    sandbox.clock.aheadMs = 31_000;
    expect(await statusOf(slow)).toMatchObject({ uploadStatus: 'processed' });
    sandbox.clock.aheadMs = 0;
  });

  it('adds a comment to a video, unless it is for kids or private', async () => {
    const comment = (videoId: string, textOriginal = 'First!') =>
      channel.post('commentThreads?part=snippet', { snippet: { videoId, topLevelComment: { snippet: { textOriginal } } } });
    const id = await upload();
    expect(await comment(id)).toMatchObject({ status: 200, body: { kind: 'youtube#commentThread', snippet: { videoId: id } } });
    const posts = (await sandbox.control('/posts?platform=youtube')).body.items;
    expect(posts.at(-1)).toMatchObject({ id, comments: [{ text: 'First!' }] });
    const reasonOf = async (response: ReturnType<typeof comment>) => (await response).body.error.errors[0].reason;
    expect(await reasonOf(comment(await upload(video({}, { selfDeclaredMadeForKids: true }))))).toBe('commentsDisabled');
    expect(await reasonOf(comment(await upload(video({}, { privacyStatus: 'private' }))))).toBe('commentsDisabled');
    expect(await reasonOf(comment('nothing'))).toBe('videoNotFound');
    expect(await reasonOf(comment(id, ' '))).toBe('commentTextRequired');
    expect(await reasonOf(comment(id, 'a'.repeat(10_001)))).toBe('commentTextTooLong');
  });

  it('hides a private video from the public', async () => {
    const id = await upload(video({}, { privacyStatus: 'private' }));
    expect((await sandbox.call(`https://www.youtube.com/watch?v=${id}`)).status).toBe(404);
    expect(await statusOf(id)).toMatchObject({ privacyStatus: 'private' });
  });
});

test('stores and shows the other options of a video', async () => {
  const said = video({ defaultLanguage: 'pt-BR' }, { containsSyntheticMedia: true });
  const begun = await channel.start(said, {}, `${uploadUrl}&notifySubscribers=false`);
  const { id } = (await channel.put(begun.headers.get('location')!, wholeRange, reel)).body;
  const [post] = (await sandbox.control('/posts?platform=youtube')).body.items.slice(-1);
  expect(post).toMatchObject({
    id,
    details: { default_language: 'pt-BR', contains_synthetic_media: true, notify_subscribers: false },
  });
  expect((await channel.get(`videos?part=snippet,status&id=${id}`)).body.items).toMatchObject([
    { snippet: { defaultLanguage: 'pt-BR' }, status: { containsSyntheticMedia: true } },
  ]);
});

describe('strictness', () => {
  it.each([
    ['no title', video({ title: ' ' }), 'invalidTitle'],
    ['101 characters of title', video({ title: 'a'.repeat(101) }), 'invalidTitle'],
    ['an angle bracket in the title', video({ title: 'I <3 it' }), 'invalidTitle'],
    ['5,001 bytes of description', video({ description: 'é'.repeat(2_500) + 'a' }), 'invalidDescription'],
    ['an angle bracket in the description', video({ description: 'a > b' }), 'invalidDescription'],
    ['501 characters of tags', video({ tags: ['a'.repeat(250), 'b'.repeat(250)] }), 'invalidTags'],
    ['quotes that make it 501', video({ tags: ['a'.repeat(250), `${'b'.repeat(246)} c`] }), 'invalidTags'],
    ['an unknown category', video({ categoryId: '99' }), 'invalidCategoryId'],
    ['a category that is only listed', video({ categoryId: '21' }), 'invalidCategoryId'],
    ['an unknown audio language', video({ defaultAudioLanguage: 'english please' }), 'invalidVideoMetadata'],
    ['a publishing time without a privacy status', video({}, { publishAt: '2030-01-01T00:00:00Z' }), 'invalidPublishAt'],
    ['an invalid language', video({ defaultLanguage: 'en_GB' }), 'invalidVideoMetadata'],
    ['an AI label that is not a boolean', video({}, { containsSyntheticMedia: 'yes' }), 'badRequest'],
    ['an unknown field', video({ colour: 'red' }), 'badRequest'],
    ['an unknown privacy status', video({}, { privacyStatus: 'secret' }), 'badRequest'],
  ])('rejects a video with %s', async (_, json, reason) => {
    expect(await channel.start(json)).toMatchObject({ status: 400, body: { error: { code: 400, errors: [{ reason }] } } });
  });

  it.each([
    ['of another type', { 'x-upload-content-type': 'image/png' }, uploadUrl],
    ['without a size', { 'x-upload-content-length': '0' }, uploadUrl],
    ['of more than 256 GB', { 'x-upload-content-length': String(257 * KiB ** 3) }, uploadUrl],
    ['with another upload type', {}, uploadUrl.replace('resumable', 'multipart')],
    ['without its parts', {}, uploadUrl.replace(',status', '')],
    ['with an unknown part', {}, uploadUrl.replace('status', 'colour')],
    ['with an invalid boolean', {}, `${uploadUrl}&notifySubscribers=perhaps`],
    ['with an unknown parameter', {}, `${uploadUrl}&colour=red`],
  ])('rejects an upload %s', async (_, headers, url) => {
    expect((await channel.start(video(), headers, url)).status).toBe(400);
  });

  it.each([
    ['a part that is not a multiple of 256 KiB', `bytes 0-99/${reel.length}`, 100],
    ['a part that begins too late', `bytes ${256 * KiB}-${256 * KiB + 99}/${reel.length}`, 100],
    ['another total', `bytes 0-${reel.length - 1}/${reel.length + 1}`, reel.length],
    ['fewer bytes than it says', wholeRange, reel.length - 1],
    ['an invalid range', 'bytes all', reel.length],
    ['no range', null, reel.length],
  ])('rejects %s', async (_, range, length) => {
    const url = await session();
    const rejected = await channel.put(url, range, reel.subarray(0, length));
    expect(rejected).toMatchObject({ status: 400, body: { error: { errors: [{ reason: 'badRequest' }] } } });
    expect((await channel.put(url, `bytes */${reel.length}`)).status).toBe(308);
    expect((await channel.put(url, wholeRange, reel)).status).toBe(201);
  });

  it('rejects a part that was already received, and bytes of another type than announced', async () => {
    const size = 512 * KiB;
    const url = await session(video(), { 'x-upload-content-length': String(size) });
    const part = Buffer.alloc(256 * KiB);
    const range = `bytes 0-${256 * KiB - 1}/${size}`;
    expect((await channel.put(url, range, part, { 'content-type': 'video/webm' })).status).toBe(400);
    expect((await channel.put(url, range, part)).status).toBe(308);
    expect((await channel.put(url, range, part)).body.error.message).toContain('the uploaded size is 262144');
  });

  it('expires a session after a week, and rejects unknown sessions', async () => {
    const url = await session();
    expect((await channel.put(`${url}x`, `bytes */${reel.length}`)).status).toBe(404);
    sandbox.clock.aheadMs = 7 * 24 * 3600_000;
    const later = await connectChannel(sandbox);
    expect((await later.put(url, `bytes */${reel.length}`)).status).toBe(404);
    sandbox.clock.aheadMs = 0;
  });

  it("rejects an upload to another channel's session", async () => {
    const { body } = await sandbox.control('/accounts', { platform: 'youtube', username: 'other', name: 'Other' });
    const code = await codeFor(sandbox, { _account: body.id });
    const other = (await token(sandbox, { grant_type: 'authorization_code', code })).body.access_token;
    const rejected = await channel.put(await session(), wholeRange, reel, { authorization: `Bearer ${other}` });
    expect(rejected).toMatchObject({ status: 403, body: { error: { errors: [{ reason: 'forbidden' }] } } });
    expect((await channel.put(await session(), wholeRange, reel, { authorization: 'Bearer nothing' })).status).toBe(401);
  });

  it('names the scope that a token lacks', async () => {
    const reader = await connectChannel(sandbox, scope('youtube.readonly'));
    expect(await reader.start(video())).toMatchObject({
      status: 403,
      body: { error: { status: 'PERMISSION_DENIED', errors: [{ reason: 'insufficientPermissions' }] } },
    });
  });

  it.each([
    ['channels?mine=true', 'missingRequiredParameter'],
    ['channels?part=colour&mine=true', 'unknownPart'],
    ['channels?part=snippet', 'missingRequiredParameter'],
    ['videos?part=status', 'missingRequiredParameter'],
    ['videos?part=status&id=1&colour=red', 'badRequest'],
    ['playlistItems?part=snippet&playlistId=none', 'playlistNotFound'],
    ['nonsense', 'notFound'],
  ])('checks its parameters: %s', async (path, reason) => {
    expect((await channel.get(path)).body.error.errors[0].reason).toBe(reason);
  });

  it("limits the project's calls per day, which ends at midnight in California", async () => {
    const tight = await runningSandbox({ SANDBOX_LIMITS_FACTOR: '0.02' });
    const busy = await connectChannel(tight);
    const reasonOf = async () => (await busy.start(video())).body.error?.errors[0].reason ?? 'none';
    expect([await reasonOf(), await reasonOf(), await reasonOf()]).toEqual(['none', 'none', 'quotaExceeded']);
    expect((await busy.get('channels?part=snippet&mine=true')).status).toBe(200);
    tight.clock.aheadMs = 25 * 3600_000;
    expect((await (await connectChannel(tight)).start(video())).status).toBe(200);
    await tight.stop();
  });
});
