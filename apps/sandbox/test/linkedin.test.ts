import sharp from 'sharp';
import { queryOf, redirectUri, reel, runningSandbox, until, type Answer, type RunningSandbox } from './running-sandbox.ts';

const rest = 'https://api.linkedin.com/rest';
const client = { client_id: 'sandbox-linkedin', client_secret: 'sandbox-linkedin-secret' };
const selfServe = 'openid profile w_member_social';
const approved = `${selfServe} w_member_social_feed rw_organization_admin r_organization_social w_organization_social w_organization_social_feed`;
const versioned = { 'linkedin-version': '202609', 'x-restli-protocol-version': '2.0.0' };

let sandbox: RunningSandbox;
let user: Awaited<ReturnType<typeof connect>>;
let picture: Buffer;

/** LinkedIn's OAuth to the end, and what a client then calls. */
async function connect({ call }: RunningSandbox, scope = approved) {
  const query = queryOf({ response_type: 'code', client_id: client.client_id, redirect_uri: redirectUri, state: 's1', scope });
  const allowed = await call(`https://www.linkedin.com/oauth/v2/authorization?${query}&_consent=allow`);
  const code = new URL(allowed.headers.get('location')!).searchParams.get('code')!;
  const exchange = { ...client, grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const tokens = await call('https://www.linkedin.com/oauth/v2/accessToken', { form: exchange });
  const authorization = `Bearer ${tokens.body.access_token}`;
  const headers: Record<string, string> = { ...versioned, authorization };
  const userinfo = await call('https://api.linkedin.com/v2/userinfo', { headers: { authorization } });
  const finder = { ...headers, 'x-restli-method': 'FINDER' };
  const acls = await call(`${rest}/organizationAcls?q=roleAssignee&state=APPROVED`, { headers: finder });
  return {
    exchange,
    tokens: tokens.body as { access_token: string; refresh_token?: string; scope: string; expires_in: number },
    member: `urn:li:person:${userinfo.body.sub}`,
    page: (acls.body.elements?.[0]?.organization ?? '') as string,
    userinfo,
    headers,
    get: (path: string, more: Record<string, string> = {}) => call(`${rest}/${path}`, { headers: { ...headers, ...more } }),
    find: (path: string) => call(`${rest}/${path}`, { headers: finder }),
    post: (path: string, json: unknown, more: Record<string, string> = {}) =>
      call(`${rest}/${path}`, { json, headers: { ...headers, ...more } }),
    put: (url: string, body: Buffer, more: Record<string, string> = {}) =>
      call(url, { method: 'PUT', body: new Uint8Array(body), headers: { 'content-type': 'application/octet-stream', ...more } }),
  };
}

const aPost = (more: object = {}) => ({
  author: user.page,
  commentary: `Hello ${Math.random()}`,
  visibility: 'PUBLIC',
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
  lifecycleState: 'PUBLISHED',
  isReshareDisabledByAuthor: false,
  ...more,
});
const postsOf = async () => (await sandbox.control('/posts?platform=linkedin')).body.items;
const encoded = (urn: string) => encodeURIComponent(urn);

async function beginImage(owner = user.page, as = user): Promise<{ uploadUrl: string; image: string }> {
  const { body } = await as.post('images?action=initializeUpload', { initializeUploadRequest: { owner } });
  return body.value;
}
async function uploadImage(bytes = picture, owner = user.page): Promise<string> {
  const { uploadUrl, image } = await beginImage(owner);
  expect((await user.put(uploadUrl, bytes, { authorization: user.headers['authorization']! })).status).toBe(201);
  return image;
}
/** The same film, made larger by a part that players skip. */
function film(sizeBytes: number): Buffer {
  const box = Buffer.alloc(sizeBytes - reel.length);
  box.writeUInt32BE(box.length, 0);
  box.write('free', 4, 'latin1');
  return Buffer.concat([reel, box]);
}
const initializeVideo = (fileSizeBytes: number, more: object = {}) =>
  user.post('videos?action=initializeUpload', {
    initializeUploadRequest: { owner: user.page, fileSizeBytes, uploadCaptions: false, uploadThumbnail: false, ...more },
  });
const finalize = (video: string, uploadedPartIds: string[], uploadToken = '') =>
  user.post('videos?action=finalizeUpload', { finalizeUploadRequest: { video, uploadToken, uploadedPartIds } });

async function uploadVideo(bytes: Buffer): Promise<string> {
  const { value } = (await initializeVideo(bytes.length)).body;
  const etags: string[] = [];
  for (const { uploadUrl, firstByte, lastByte } of value.uploadInstructions) {
    const sent = await user.put(uploadUrl, bytes.subarray(firstByte, lastByte + 1));
    expect(sent.status).toBe(200);
    etags.push(sent.headers.get('etag')!);
  }
  expect((await finalize(value.video, etags, value.uploadToken)).status).toBe(200);
  return value.video;
}
const statusOf = async (kind: string, urn: string) => (await user.get(`${kind}/${encoded(urn)}`)).body;

beforeAll(async () => {
  sandbox = await runningSandbox();
  user = await connect(sandbox);
  picture = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
});
afterAll(() => sandbox.stop());

describe('signing in', () => {
  const token = (form: Record<string, string>) => sandbox.call('https://www.linkedin.com/oauth/v2/accessToken', { form });

  it('grants one token for the member and its pages, and tells scopes by commas', async () => {
    expect(user.tokens).toMatchObject({ expires_in: 5_184_000, scope: approved.replaceAll(' ', ',') });
    expect(user.userinfo.body).toMatchObject({ sub: expect.any(String), name: 'Demo Person' });
    const details = await user.get(`organizations/${user.page.split(':').at(-1)}`);
    expect(details.body).toMatchObject({ localizedName: 'Fanfare Demo Café', vanityName: 'fanfare-demo' });
  });

  it('takes a code once, with the secret in the form', async () => {
    expect(await token(user.exchange)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(await token({ ...user.exchange, client_secret: 'wrong' })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('gives refresh tokens to approved apps alone, and does not lengthen their life', async () => {
    expect((await connect(sandbox, selfServe)).tokens).not.toHaveProperty('refresh_token');
    sandbox.clock.aheadMs = 60 * 24 * 3600_000 + 1000;
    const late = await user.post('posts', aPost());
    const refresh = { ...client, grant_type: 'refresh_token', refresh_token: user.tokens.refresh_token! };
    const refreshed = await token(refresh);
    sandbox.clock.aheadMs = 366 * 24 * 3600_000;
    const ended = await token(refresh);
    sandbox.clock.aheadMs = 0;
    expect(late).toMatchObject({ status: 401, body: { code: 'EXPIRED_ACCESS_TOKEN', serviceErrorCode: 65_602 } });
    expect(refreshed.body).toMatchObject({ refresh_token: user.tokens.refresh_token, expires_in: 5_184_000 });
    expect(refreshed.body.refresh_token_expires_in).toBeLessThan(306 * 24 * 3600);
    expect(ended).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('takes access back', async () => {
    const other = await connect(sandbox);
    const form = { ...client, token: other.tokens.access_token };
    expect((await sandbox.call('https://www.linkedin.com/oauth/v2/revoke', { form })).status).toBe(200);
    expect(await other.post('posts', aPost())).toMatchObject({ status: 401, body: { code: 'REVOKED_ACCESS_TOKEN', status: 401 } });
  });

  it.each([
    ['an unknown scope', { scope: 'rule.world' }, 'unauthorized_scope_error'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
  ])('sends %s back to the app', async (_, change, error) => {
    const good = { response_type: 'code', client_id: client.client_id, redirect_uri: redirectUri, scope: selfServe, state: 's' };
    const answer = await sandbox.call(`https://www.linkedin.com/oauth/v2/authorization?${queryOf({ ...good, ...change })}&_consent=allow`);
    expect(new URL(answer.headers.get('location')!).searchParams.get('error')).toBe(error);
  });

  it('asks a person', async () => {
    const good = { response_type: 'code', client_id: client.client_id, redirect_uri: redirectUri, scope: selfServe, state: 's' };
    const authorize = `https://www.linkedin.com/oauth/v2/authorization?${queryOf(good)}`;
    expect((await sandbox.call(authorize)).text).toContain('Fanfare Demo Café');
    const denied = await sandbox.call(`${authorize}&_consent=deny`);
    expect(denied.headers.get('location')).toContain('error=user_cancelled_authorize');
  });
});

describe('publishing', () => {
  it('posts text for the page and the member, answers with nothing but a header, and shows it', async () => {
    for (const [author, name] of [
      [user.page, 'Fanfare Demo Café'],
      [user.member, 'Demo Person'],
    ]) {
      const made = await user.post('posts', aPost({ author, commentary: 'Fresh \\(hot\\) coffee \\| {hashtag|\\#|open\\_late} #now' }));
      expect(made).toMatchObject({ status: 201, text: '' });
      const urn = made.headers.get('x-restli-id')!;
      expect(urn).toMatch(/^urn:li:share:\d{19}$/);
      const shown = await sandbox.call(`https://www.linkedin.com/feed/update/${urn}/`);
      expect(shown.text).toContain('Fresh (hot) coffee | #open_late #now');
      expect(shown.text).toContain(name);
    }
  });

  it('cuts a text silently at what is reserved and not escaped', async () => {
    expect((await user.post('posts', aPost({ commentary: 'We open at nine (mostly), see you' }))).status).toBe(201);
    expect((await postsOf()).at(-1)).toMatchObject({ text: 'We open at nine ' });
  });

  it('refuses the same again and names the first', async () => {
    const post = aPost({ commentary: 'Only once' });
    const first = (await user.post('posts', post)).headers.get('x-restli-id');
    expect(await user.post('posts', post)).toMatchObject({
      status: 422,
      body: {
        message: expect.stringContaining(`Content is a duplicate of ${first}`),
        errorDetails: { inputErrors: [{ code: 'DUPLICATE_POST' }] },
      },
    });
    expect((await user.post('posts', { ...post, author: user.member })).status).toBe(201);
  });

  it('lists a page’s posts by the finder, newest first, as little text', async () => {
    await user.post('posts', aPost({ commentary: 'About #coffee \\(mostly\\)' }));
    const listed = await user.find(`posts?q=author&author=${encoded(user.page)}&count=1&sortBy=CREATED`);
    expect(listed.body).toMatchObject({
      paging: { start: 0, count: 1 },
      elements: [{ author: user.page, commentary: 'About {hashtag|\\#|coffee} \\(mostly\\)', publishedAt: expect.any(Number) }],
    });
    expect((await user.get(`posts?q=author&author=${encoded(user.page)}`)).status).toBe(400);
    expect(await user.find(`posts?q=author&author=${encoded(user.member)}`)).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    });
  });

  it('takes comments as they are written', async () => {
    const urn = (await user.post('posts', aPost())).headers.get('x-restli-id')!;
    const comment = { actor: user.page, object: urn, message: { text: 'First (really)!' } };
    const made = await user.post(`socialActions/${encoded(urn)}/comments`, comment);
    expect(made).toMatchObject({ status: 201, body: { object: urn, message: { text: 'First (really)!' } } });
    expect((await postsOf()).at(-1)).toMatchObject({ comments: [{ text: 'First (really)!' }] });
    expect((await user.post(`socialActions/${encoded('urn:li:share:1')}/comments`, { ...comment, object: 'urn:li:share:1' })).status).toBe(
      404,
    );
    const simple = await connect(sandbox, selfServe);
    const denied = await simple.post(`socialActions/${encoded(urn)}/comments`, { ...comment, actor: simple.member });
    expect(denied).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } });
  });
});

describe('pictures', () => {
  it('takes one with a description, and several', async () => {
    const images = [await uploadImage(), await uploadImage()];
    expect(await statusOf('images', images[0]!)).toMatchObject({ status: 'AVAILABLE', owner: user.page });
    expect((await user.post('posts', aPost({ content: { media: { id: images[0], altText: 'A cup', title: 'Cup' } } }))).status).toBe(201);
    expect((await postsOf()).at(-1)).toMatchObject({ kind: 'photo', media: [{ alt_text: 'A cup', width: 80 }] });
    const multiImage = { images: images.map((id) => ({ id, altText: 'Two cups' })) };
    expect((await user.post('posts', aPost({ content: { multiImage } }))).status).toBe(201);
    expect((await postsOf()).at(-1)).toMatchObject({ kind: 'album', media: [{}, {}] });
  });

  it('are sent with the token of the member who began, once', async () => {
    const { uploadUrl } = await beginImage();
    const authorization = user.headers['authorization']!;
    expect((await user.put(uploadUrl, picture)).status).toBe(401);
    sandbox.clock.aheadMs = 25 * 3600_000;
    expect(await user.put(uploadUrl, picture, { authorization })).toMatchObject({ status: 403, text: expect.stringContaining('<html>') });
    sandbox.clock.aheadMs = 0;
    expect((await user.put(uploadUrl, picture, { authorization })).status).toBe(201);
    expect((await user.put(uploadUrl, picture, { authorization })).status).toBe(400);
  });

  it('have to be there, whole, and the author’s', async () => {
    const { image: waiting } = await beginImage();
    const broken = await uploadImage(Buffer.from('no picture'));
    const foreign = await uploadImage(picture, user.member);
    expect(await statusOf('images', broken)).toMatchObject({ status: 'PROCESSING_FAILED', processingFailureReason: expect.any(String) });
    for (const [id, code] of [
      [waiting, 'MEDIA_ASSET_WAITING_UPLOAD'],
      [broken, 'MEDIA_ASSET_PROCESSING_FAILED'],
      [foreign, 'INVALID_CONTENT_OWNERSHIP'],
      ['urn:li:image:nothing', 'INVALID_URN_ID'],
    ]) {
      expect(await user.post('posts', aPost({ content: { media: { id } } }))).toMatchObject({ status: 400, body: { code } });
    }
    const one = { multiImage: { images: [{ id: await uploadImage() }] } };
    expect((await user.post('posts', aPost({ content: one }))).body).toMatchObject({ code: 'ILLEGAL_ARGUMENT' });
  });

  it('may be added but not asked about by a login that only posts as a member', async () => {
    const simple = await connect(sandbox, selfServe);
    const { image } = await beginImage(simple.member, simple);
    expect(await simple.get(`images/${encoded(image)}`)).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } });
    expect(await simple.post('images?action=initializeUpload', { initializeUploadRequest: { owner: user.page } })).toMatchObject({
      status: 403,
    });
  });
});

describe('videos', () => {
  it('go up in parts of 4 MB, each to its own address, and are processed before they can be posted', async () => {
    await sandbox.control('/faults', {
      platform: 'linkedin',
      call: 'linkedin.finalize_video',
      fault: { type: 'slow_processing', ms: 30_000 },
    });
    const video = await uploadVideo(film(4_194_304 + 10));
    expect(await statusOf('videos', video)).toMatchObject({ status: 'PROCESSING' });
    const content = { media: { id: video, title: 'Our film' } };
    expect((await user.post('posts', aPost({ content }))).body).toMatchObject({ code: 'MEDIA_ASSET_PROCESSING' });
    sandbox.clock.aheadMs = 31_000;
    const ready = await statusOf('videos', video);
    const posted = await user.post('posts', aPost({ content }));
    sandbox.clock.aheadMs = 0;
    expect(ready).toMatchObject({ status: 'AVAILABLE' });
    expect(posted.headers.get('x-restli-id')).toMatch(/^urn:li:ugcPost:\d+$/);
  });

  it.each([
    ['is too small', () => film(60_000), /at least 75000/],
    ['is none', () => Buffer.alloc(80_000), /no MP4/],
  ])('say when the film %s', async (_, bytes, reason) => {
    const video = await uploadVideo(bytes());
    const failed = await until(
      () => statusOf('videos', video),
      ({ status }) => status === 'PROCESSING_FAILED',
    );
    expect(failed.processingFailureReason).toMatch(reason);
  });

  it('insist on sizes, ETags and their order', async () => {
    const bytes = film(4_194_304 + 10);
    const { value } = (await initializeVideo(bytes.length)).body;
    const [first, second] = value.uploadInstructions;
    expect(second).toMatchObject({ firstByte: 4_194_304, lastByte: bytes.length - 1 });
    expect((await user.put(first.uploadUrl, bytes.subarray(0, 10))).status).toBe(400);
    const etags: string[] = [];
    for (const part of [first, second]) {
      const sent: Answer = await user.put(part.uploadUrl, bytes.subarray(part.firstByte, part.lastByte + 1));
      etags.push(sent.headers.get('etag')!);
    }
    for (const wrong of [etags.slice(0, 1), etags.toReversed(), ['a', 'b']]) {
      expect(await finalize(value.video, wrong)).toMatchObject({ status: 400, body: { code: 'ILLEGAL_ARGUMENT' } });
    }
    expect((await finalize(value.video, etags, 'other')).status).toBe(400);
    expect((await finalize(value.video, etags)).status).toBe(200);
    expect((await finalize(value.video, etags)).status).toBe(400);
    expect((await initializeVideo(600_000_000)).status).toBe(400);
    expect((await initializeVideo(10, { colour: 'red' })).status).toBe(422);
  });
});

describe('strictness', () => {
  it.each([
    ['no version', { 'linkedin-version': '' }, 400, 'VERSION_MISSING'],
    ['an ended version', { 'linkedin-version': '202508' }, 426, 'NONEXISTENT_VERSION'],
    ['a future version', { 'linkedin-version': '209901' }, 426, 'NONEXISTENT_VERSION'],
    ['another protocol', { 'x-restli-protocol-version': '1.0.0' }, 400, 'ILLEGAL_ARGUMENT'],
    ['no token', { authorization: '' }, 401, 'INVALID_ACCESS_TOKEN'],
    ['an unknown token', { authorization: 'Bearer nonsense' }, 401, 'INVALID_ACCESS_TOKEN'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('refuses %s', async (_, change, status, code) => {
    const headers = { ...user.headers, 'content-type': 'application/json', ...change };
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    const answer = await sandbox.call(`${rest}/posts`, { method: 'POST', body: JSON.stringify(aPost()), headers: sent });
    expect(answer).toMatchObject({ status, body: { status, code, message: expect.any(String) } });
  });

  it.each([
    ['an unknown field', { colour: 'red' }, 422, '/colour :: unrecognized field'],
    ['a field too few', { visibility: undefined }, 422, '/visibility'],
    ['an unknown field inside', { content: { media: { id: 'urn:li:image:1', alt: 'x' } } }, 422, '/content/media/alt'],
    ['a draft', { lifecycleState: 'DRAFT' }, 400, 'DRAFT'],
    ['nothing', { commentary: ' ' }, 400, 'commentary is required'],
    ['3001 letters', { commentary: 'a'.repeat(3001) }, 400, '3001'],
    ['2999 letters that escapes make too many', { commentary: `${'a'.repeat(2997)}\\(\\)` }, 400, '3001'],
    ['a page’s connections', { visibility: 'CONNECTIONS' }, 400, 'CONNECTIONS'],
    ['a page of others', { author: 'urn:li:organization:1' }, 403, 'permissions'],
    ['an author of no kind', { author: '55' }, 400, 'no person'],
    ['two kinds of content', { content: { media: { id: 'a' }, article: { source: 'https://a.example', title: 'A' } } }, 400, 'exactly one'],
  ])('refuses a post with %s', async (_, change, status, message) => {
    const refused = await user.post('posts', aPost(change));
    expect(refused).toMatchObject({ status, body: { message: expect.stringContaining(message) } });
  });

  it('wants URNs in paths percent-encoded, and knows its query parameters', async () => {
    expect((await user.get('videos/urn:li:video:1')).body).toMatchObject({ code: 'ILLEGAL_ARGUMENT' });
    expect((await user.find('organizationAcls?q=roleAssignee&colour=red')).body).toMatchObject({ code: 'QUERY_PARAM_NOT_ALLOWED' });
    expect((await user.post('images?action=fly', { initializeUploadRequest: { owner: user.page } })).status).toBe(400);
  });

  it('asks for the permission that a token lacks', async () => {
    const reader = await connect(sandbox, 'openid');
    expect(await reader.post('posts', aPost())).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } });
  });

  it('answers an unknown path in its way, and ends a member’s day of posting at midnight UTC, without a header', async () => {
    expect(await user.get('nonsense')).toMatchObject({ status: 404, body: { status: 404 } });
    const tight = await runningSandbox({ SANDBOX_LIMITS_FACTOR: '0.007' });
    const busy = await connect(tight);
    expect((await busy.post('posts', aPost({ author: busy.page }))).status).toBe(201);
    const limited = await busy.post('posts', aPost({ author: busy.page }));
    expect(limited).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS', message: expect.stringContaining('MEMBER DAY') } });
    expect([...limited.headers.keys()].filter((name) => /retry|rate/.test(name))).toEqual([]);
    tight.clock.aheadMs = 24 * 3600_000;
    expect((await busy.post('posts', aPost({ author: busy.page }))).status).toBe(201);
    await tight.stop();
  });
});
