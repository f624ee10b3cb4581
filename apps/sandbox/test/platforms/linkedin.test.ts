import { approved, aPost as aLinkedinPost, client, connectLinkedin as connect, rest, selfServe } from './connect-linkedin.ts';
import { queryOf, redirectUri, runningSandbox, type RunningSandbox } from '../running-sandbox.ts';

let sandbox: RunningSandbox;
let user: Awaited<ReturnType<typeof connect>>;

const aPost = (more: object = {}) => aLinkedinPost(user.page, more);
const postsOf = async () => (await sandbox.control('/posts?platform=linkedin')).body.items;
const encoded = (urn: string) => encodeURIComponent(urn);

beforeAll(async () => {
  sandbox = await runningSandbox();
  user = await connect(sandbox);
});
afterAll(() => sandbox.stop());

describe('signing in', () => {
  const token = (form: Record<string, string>) => sandbox.call('https://www.linkedin.com/oauth/v2/accessToken', { form });

  it('grants one token for the member and the pages, and separates scopes with commas', async () => {
    expect(user.tokens).toMatchObject({ expires_in: 5_184_000, scope: approved.replaceAll(' ', ',') });
    expect(user.userinfo.body).toMatchObject({ sub: expect.any(String), name: 'Demo Person' });
    const details = await user.get(`organizations/${user.page.split(':').at(-1)}`);
    expect(details.body).toMatchObject({ localizedName: 'Fanfare Demo Café', vanityName: 'fanfare-demo' });
  });

  it('accepts a code once, with the secret in the form', async () => {
    expect(await token(user.exchange)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(await token({ ...user.exchange, client_secret: 'wrong' })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('issues refresh tokens to approved apps only, and does not extend their lifetime', async () => {
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

  it('revokes access', async () => {
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
    const response = await sandbox.call(
      `https://www.linkedin.com/oauth/v2/authorization?${queryOf({ ...good, ...change })}&_consent=allow`,
    );
    expect(new URL(response.headers.get('location')!).searchParams.get('error')).toBe(error);
  });

  it('requests consent from the person', async () => {
    const good = { response_type: 'code', client_id: client.client_id, redirect_uri: redirectUri, scope: selfServe, state: 's' };
    const authorize = `https://www.linkedin.com/oauth/v2/authorization?${queryOf(good)}`;
    expect((await sandbox.call(authorize)).text).toContain('Fanfare Demo Café');
    const denied = await sandbox.call(`${authorize}&_consent=deny`);
    expect(denied.headers.get('location')).toContain('error=user_cancelled_authorize');
  });
});

describe('publishing', () => {
  it('posts text for the page and the member, returns only a header, and shows it', async () => {
    for (const [author, name] of [
      [user.page, 'Fanfare Demo Café'],
      [user.member, 'Demo Person'],
    ]) {
      const made = await user.post('posts', aPost({ author, commentary: 'Fresh \\(hot\\) coffee \\| {hashtag|\\#|open\\_late} #now' }));
      expect(made).toMatchObject({ status: 201, text: '' });
      const urn = made.headers.get('x-restli-id')!;
      expect(urn).toMatch(/^urn:li:share:\d{19}$/);
      const shown = await sandbox.call(`https://www.linkedin.com/feed/update/${urn}/`);
      expect(shown.text).toContain('Fresh (hot) coffee | <a href="https://www.linkedin.com/feed/hashtag/open_late/"');
      expect(shown.text).toContain(name);
    }
  });

  it('counts visible characters, and neither escapes nor the ids of names', async () => {
    const commentary = `${'\\('.repeat(2995)} @[Acme](urn:li:organization:123456)`;
    expect((await user.post('posts', aPost({ commentary }))).status).toBe(201);
    expect([...(await postsOf()).at(-1).text]).toHaveLength(3000);
  });

  it('silently truncates a text at a reserved character that is not escaped', async () => {
    expect((await user.post('posts', aPost({ commentary: 'We open at nine (mostly), see you' }))).status).toBe(201);
    expect((await postsOf()).at(-1)).toMatchObject({ text: 'We open at nine ' });
  });

  it.each([
    [
      'the card of a link',
      { article: { source: 'https://example.com/bread', title: 'Our <bread>', description: 'Rye' } },
      { kind: 'link', link: 'https://example.com/bread' },
      '<strong>Our &#60;bread&#62;</strong><span>Rye</span>',
    ],
    [
      'a poll',
      { poll: { question: 'Which bread?', options: [{ text: 'Rye' }, { text: 'Wheat' }], settings: { duration: 'ONE_DAY' } } },
      { kind: 'text', link: null },
      '<strong>Which bread?</strong><ul class="poll"><li>Rye<span>0%</span></li><li>Wheat<',
    ],
  ])('shows %s, and lists it as it was given', async (_, content, kept, shown) => {
    const made = await user.post('posts', aPost({ content }));
    expect(made).toMatchObject({ status: 201 });
    const listed = await user.find(`posts?q=author&author=${encoded(user.page)}&count=1&sortBy=CREATED`);
    expect(listed.body.elements).toMatchObject([{ content }]);
    expect((await postsOf()).at(-1)).toMatchObject(kept);
    expect((await sandbox.call(`https://www.linkedin.com/feed/update/${made.headers.get('x-restli-id')}/`)).text).toContain(shown);
  });

  it('rejects the same post again and names the first one', async () => {
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

  it("lists a page's posts by the finder, newest first, as little text", async () => {
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

  it('returns the length of a text that is too long, with the code in the details', async () => {
    const { status, body } = await user.post('posts', aPost({ commentary: 'a'.repeat(3001) }));
    expect(status).toBe(400);
    expect(body.message).toContain('ShareCommentary text length (3001 characters) exceeded the maximum allowed (3000 characters)');
    expect(body.errorDetails.inputErrors).toEqual([expect.objectContaining({ code: 'FIELD_ARRAY_SIZE_TOO_HIGH', maxLength: 3000 })]);
  });

  it('accepts comments as plain text', async () => {
    const urn = (await user.post('posts', aPost())).headers.get('x-restli-id')!;
    const comment = { actor: user.page, object: urn, message: { text: 'First (really)!' } };
    const made = await user.post(`socialActions/${encoded(urn)}/comments`, comment);
    expect(made).toMatchObject({ status: 201, body: { object: urn, message: { text: 'First (really)!' } } });
    const empty = { ...comment, message: { text: ' ' } };
    expect(await user.post(`socialActions/${encoded(urn)}/comments`, empty)).toMatchObject({
      status: 400,
      body: { code: 'ILLEGAL_ARGUMENT' },
    });
    expect((await postsOf()).at(-1)).toMatchObject({ comments: [{ text: 'First (really)!' }] });
    expect((await user.post(`socialActions/${encoded('urn:li:share:1')}/comments`, { ...comment, object: 'urn:li:share:1' })).status).toBe(
      404,
    );
    const simple = await connect(sandbox, selfServe);
    const denied = await simple.post(`socialActions/${encoded(urn)}/comments`, { ...comment, actor: simple.member });
    expect(denied).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } });
  });
});

const poll = (more: object) => ({
  poll: { question: 'Which?', options: [{ text: 'a' }, { text: 'b' }], settings: { duration: 'ONE_DAY' }, ...more },
});

describe('strictness', () => {
  it.each([
    ['no version', { 'linkedin-version': '' }, 400, 'VERSION_MISSING'],
    ['an ended version', { 'linkedin-version': '202508' }, 426, 'NONEXISTENT_VERSION'],
    ['the version that ended this month', { 'linkedin-version': '202511' }, 426, 'NONEXISTENT_VERSION'],
    ['the version that never was', { 'linkedin-version': '202512' }, 426, 'NONEXISTENT_VERSION'],
    ['a future version', { 'linkedin-version': '209901' }, 426, 'NONEXISTENT_VERSION'],
    ['another protocol', { 'x-restli-protocol-version': '1.0.0' }, 400, 'ILLEGAL_ARGUMENT'],
    ['no token', { authorization: '' }, 401, 'INVALID_ACCESS_TOKEN'],
    ['an unknown token', { authorization: 'Bearer nonsense' }, 401, 'INVALID_ACCESS_TOKEN'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('rejects %s', async (_, change, status, code) => {
    const headers = { ...user.headers, 'content-type': 'application/json', ...change };
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    const response = await sandbox.call(`${rest}/posts`, { method: 'POST', body: JSON.stringify(aPost()), headers: sent });
    expect(response).toMatchObject({ status, body: { status, code, message: expect.any(String) } });
  });

  it.each([
    ['an unknown field', { colour: 'red' }, 422, '/colour :: unrecognized field'],
    ['a missing field', { visibility: undefined }, 422, '/visibility'],
    ['an unknown field inside', { content: { media: { id: 'urn:li:image:1', alt: 'x' } } }, 422, '/content/media/alt'],
    ['a draft', { lifecycleState: 'DRAFT' }, 400, 'DRAFT'],
    ['nothing', { commentary: ' ' }, 400, 'commentary is required'],
    ['3001 letters', { commentary: 'a'.repeat(3001) }, 400, '3001'],
    ['a name that is too long', { commentary: `${'a'.repeat(2996)}@[Acme!](urn:li:organization:1)` }, 400, '3001'],
    ['3001 letters that are cut off', { commentary: `(${'a'.repeat(3000)}` }, 400, '3001'],
    ['a page’s connections', { visibility: 'CONNECTIONS' }, 400, 'CONNECTIONS'],
    ['a page of others', { author: 'urn:li:organization:1' }, 403, 'permissions'],
    ['an author of unknown kind', { author: '55' }, 400, 'no person'],
    ['a card without a title', { content: { article: { source: 'https://a.example' } } }, 422, '/content/article/title'],
    ['a card with an empty title', { content: { article: { source: 'https://a.example', title: ' ' } } }, 400, 'cannot be empty'],
    ['a card without a URL', { content: { article: { source: 'bread', title: 'A' } } }, 400, 'has to be a URL'],
    ['a title of 201', { content: { article: { source: 'https://a.example', title: 'a'.repeat(201) } } }, 400, '201'],
    ['a poll of one', { content: poll({ options: [{ text: 'a' }] }) }, 400, '2 to 4'],
    ['a poll of the same', { content: poll({ options: [{ text: 'a' }, { text: 'a' }] }) }, 400, 'different'],
    ['a question of 141', { content: poll({ question: 'a'.repeat(141) }) }, 400, '141'],
    ['an option of 31', { content: poll({ options: [{ text: 'a'.repeat(31) }, { text: 'b' }] }) }, 400, '31'],
    ['a poll for a month', { content: poll({ settings: { duration: 'MONTH' } }) }, 422, '/content/poll/settings/duration'],
    ['a poll and a card', { content: { ...poll({}), article: { source: 'https://a.example', title: 'A' } } }, 400, 'exactly one'],
    ['two kinds of content', { content: { media: { id: 'a' }, article: { source: 'https://a.example', title: 'A' } } }, 400, 'exactly one'],
  ])('rejects a post with %s', async (_, change, status, message) => {
    const rejected = await user.post('posts', aPost(change));
    expect(rejected).toMatchObject({ status, body: { message: expect.stringContaining(message) } });
  });

  it('requires percent-encoded URNs in paths, and checks its query parameters', async () => {
    expect((await user.get('videos/urn:li:video:1')).body).toMatchObject({ code: 'ILLEGAL_ARGUMENT' });
    expect((await user.find('organizationAcls?q=roleAssignee&colour=red')).body).toMatchObject({ code: 'QUERY_PARAM_NOT_ALLOWED' });
    expect((await user.post('images?action=fly', { initializeUploadRequest: { owner: user.page } })).status).toBe(400);
  });

  it('names the permission that a token lacks', async () => {
    const reader = await connect(sandbox, 'openid');
    expect(await reader.post('posts', aPost())).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } });
  });

  it("responds to an unknown path in its format, and ends a member's daily quota at midnight UTC, without a header", async () => {
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
