import { allScopes, api, authorizeQuery, basic, connectPinterest } from './connect-pinterest.ts';
import { mediaServer, queryOf, runningSandbox, type RunningSandbox } from '../running-sandbox.ts';

let sandbox: RunningSandbox;
let media: Awaited<ReturnType<typeof mediaServer>>;
let user: Awaited<ReturnType<typeof connectPinterest>>;

beforeAll(async () => {
  sandbox = await runningSandbox();
  media = await mediaServer();
  user = await connectPinterest(sandbox);
});
afterAll(async () => {
  await media.stop();
  await sandbox.stop();
});

const image = (file = 'square.jpg') => ({ source_type: 'image_url', url: media.url(file) });
const pin = (more: object = {}) => user.post('pins', { board_id: user.board, media_source: image(), ...more });

describe('signing in', () => {
  const token = (form: Record<string, string>, authorization = basic) =>
    sandbox.call(`${api}/oauth/token`, { form, headers: { authorization } });

  it('grants tokens for 30 and 60 days, and returns their account', async () => {
    expect(user.tokens).toMatchObject({
      token_type: 'bearer',
      response_type: 'authorization_code',
      expires_in: 2_592_000,
      refresh_token_expires_in: 5_184_000,
      scope: allScopes.replaceAll(',', ' '),
    });
    expect((await user.get('user_account')).body).toMatchObject({ username: 'fanfare_demo', id: expect.stringMatching(/^\d+$/) });
  });

  it('accepts a code once, from the same app, for the same redirect URI', async () => {
    expect(await token(user.exchange)).toMatchObject({ status: 400, body: { code: 283, message: expect.stringContaining('invalid') } });
    const wrong = `Basic ${Buffer.from('sandbox-pinterest:guess').toString('base64')}`;
    expect(await token(user.exchange, wrong)).toMatchObject({ status: 401, body: { code: 2, message: 'Authentication failed.' } });
  });

  it('replaces the refresh token with each refresh', async () => {
    const { tokens } = await connectPinterest(sandbox);
    const form = { grant_type: 'refresh_token', refresh_token: String(tokens['refresh_token']) };
    const refreshed = await token(form);
    expect(refreshed).toMatchObject({ status: 200, body: { response_type: 'refresh_token' } });
    expect(refreshed.body.refresh_token).not.toBe(tokens['refresh_token']);
    expect((await token(form)).status).toBe(400);
  });

  it('ends access after 30 days', async () => {
    sandbox.clock.aheadMs = 30 * 24 * 3600_000 + 1000;
    const late = await user.get('user_account');
    sandbox.clock.aheadMs = 0;
    expect(late).toMatchObject({ status: 401, body: { code: 2 } });
  });

  it.each([
    ['an unknown app', { client_id: 'nobody' }],
    ['an unknown scope', { scope: 'pins:rule' }],
    ['scopes separated by spaces', { scope: 'pins:read boards:read' }],
    ['another response type', { response_type: 'token' }],
  ])('rejects an authorization with %s', async (_, change) => {
    const query = queryOf({ ...authorizeQuery, ...change });
    expect((await sandbox.call(`https://www.pinterest.com/oauth/?${query}&_consent=allow`)).status).toBe(400);
  });
});

describe('boards', () => {
  it('are listed page by page, with their sections', async () => {
    const first = (await user.get('boards?page_size=1')).body;
    expect(first.items).toMatchObject([{ name: 'Recipes' }]);
    const second = (await user.get(`boards?page_size=1&bookmark=${first.bookmark}`)).body;
    expect(second).toMatchObject({ items: [{ name: 'Behind the counter' }], bookmark: null });
    expect((await user.get(`boards/${user.board}/sections`)).body.items).toMatchObject([{ name: 'Breakfast' }, { name: 'Soups' }]);
    expect((await user.get('boards?page_size=251')).status).toBe(400);
  });
});

describe('pinning', () => {
  it('fetches an image and lists the pin first, on its board only', async () => {
    const link = 'https://example.com/menu';
    const made = await pin({ title: 'Porridge', description: 'With apples', link, alt_text: 'A bowl' });
    expect(made).toMatchObject({
      status: 201,
      body: { id: expect.stringMatching(/^\d+$/), title: 'Porridge', media: { media_type: 'image' } },
    });
    const listed = (await user.get(`boards/${user.board}/pins?page_size=25`)).body.items;
    expect(listed[0]).toMatchObject({ id: made.body.id, description: 'With apples', link, alt_text: 'A bowl', board_section_id: null });
    expect((await user.get(`boards/${user.other}/pins`)).body.items).toEqual([]);
    expect((await sandbox.control('/posts?platform=pinterest')).body.items.at(-1)).toMatchObject({
      kind: 'photo',
      text: 'With apples',
      media: [{ alt_text: 'A bowl' }],
    });
    const page = await sandbox.call(`https://www.pinterest.com/pin/${made.body.id}/`);
    expect(page.text).toContain('With apples');
  });

  it('puts a pin into a section of its board, and of no other', async () => {
    const [section] = (await user.get(`boards/${user.board}/sections`)).body.items;
    const made = await pin({ board_section_id: section.id });
    const listed = await user.get(`boards/${user.board}/sections/${section.id}/pins`);
    expect(listed.body.items).toMatchObject([{ id: made.body.id, board_section_id: section.id }]);
    expect((await pin({ board_id: user.other, board_section_id: section.id })).status).toBe(404);
  });

  it('creates a carousel of two to five', async () => {
    const items = [{ url: media.url('square.jpg') }, { url: media.url('second.jpg') }];
    const made = await pin({ media_source: { source_type: 'multiple_image_urls', items } });
    expect(made).toMatchObject({ status: 201, body: { creative_type: 'CAROUSEL', media: { media_type: 'multiple_images' } } });
    const six = { source_type: 'multiple_image_urls', items: Array.from({ length: 6 }, () => items[0]) };
    expect((await pin({ media_source: six })).body).toMatchObject({ code: 1, message: expect.stringContaining('maxItems=5') });
    const one = { source_type: 'multiple_image_urls', items: items.slice(1) };
    expect((await pin({ media_source: one })).status).toBe(400);
  });

  it('deletes a pin', async () => {
    const made = await pin();
    expect((await user.remove(`pins/${made.body.id}`)).status).toBe(204);
    expect(await user.get(`pins/${made.body.id}`)).toMatchObject({ status: 404, body: { code: 50 } });
  });
});

describe('strictness', () => {
  it.each([
    ['an unknown field', { colour: 'red' }, 400, "'colour' was unexpected"],
    ['an unknown field inside', { media_source: { source_type: 'image_url', url: 'x', alt: 'y' } }, 400, 'media_source.alt'],
    ['a board that is not a number', { board_id: 'recipes' }, 400, "does not match '^\\d+$'"],
    ['an unknown board', { board_id: '12345' }, 404, 'Board not found.'],
    ['a title of 101', { title: 'a'.repeat(101) }, 400, 'maxLength=100'],
    ['a description of 801', { description: 'a'.repeat(801) }, 400, 'maxLength=800'],
    ['an alt text of 501', { alt_text: 'a'.repeat(501) }, 400, 'maxLength=500'],
    ['a link that is not a URL', { link: 'the menu' }, 400, 'is not a URL'],
    ['an unknown parent pin', { parent_pin_id: '12345' }, 404, 'Pin not found.'],
    ['no source', { media_source: undefined }, 400, 'media_source'],
    ['an unknown source', { media_source: { source_type: 'text' } }, 400, 'media_source'],
    [
      'a video that was not uploaded',
      { media_source: { source_type: 'video_id', media_id: '1', cover_image_key_frame_time: 0 } },
      400,
      'not ready',
    ],
  ])('rejects a pin with %s', async (_, more, status, message) => {
    expect(await pin(more)).toMatchObject({ status, body: { code: expect.any(Number), message: expect.stringContaining(message) } });
  });

  it.each([
    ['does not exist', 'nothing.jpg', 'Unable to reach the URL'],
    ['was moved', 'moved.jpg', 'Unable to reach the URL'],
    ['is not an image', 'text.jpg', 'could not be read'],
    ['is a page', 'page.html', 'could not be read'],
  ])('rejects an image that %s', async (_, file, message) => {
    expect(await pin({ media_source: image(file) })).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  });

  it('checks its query parameters, paths and body type', async () => {
    expect((await user.get('boards?colour=red')).status).toBe(400);
    expect((await user.get('boards/recipes/pins')).status).toBe(400);
    expect((await user.post('media', { media_type: 'image' })).status).toBe(400);
    expect((await sandbox.call(`${api}/pins`, { form: { board_id: '1' } })).status).toBe(401);
    expect(await user.get('nonsense')).toMatchObject({ status: 404, body: { message: 'Not found.' } });
  });

  it('shows boards, pins and media only to their owner', async () => {
    const account = (await sandbox.control('/accounts', { platform: 'pinterest', username: 'other', name: 'Other' })).body;
    const stranger = await connectPinterest(sandbox, allScopes, account.id);
    const source = { board_id: user.board, media_source: image() };
    expect(await stranger.post('pins', source)).toMatchObject({ status: 403, body: { code: 29 } });
    expect((await stranger.get(`boards/${user.board}/pins`)).status).toBe(403);
    expect((await stranger.get(`media/${(await user.post('media', { media_type: 'video' })).body.media_id}`)).status).toBe(404);
  });

  it('names the scopes that a token lacks', async () => {
    const reader = await connectPinterest(sandbox, 'boards:read,pins:read');
    expect(await reader.post('pins', { board_id: reader.board, media_source: image() })).toMatchObject({
      status: 403,
      body: { code: 7, message: expect.stringContaining('boards:write, pins:write') },
    });
  });

  it('limits the rate, and returns for how long', async () => {
    const tight = await runningSandbox({ SANDBOX_LIMITS_FACTOR: '0.01' });
    const busy = await connectPinterest(tight);
    const source = { board_id: busy.board, media_source: image() };
    expect((await busy.post('pins', source)).headers.get('x-ratelimit-remaining')).toBe('0');
    const limited = await busy.post('pins', source);
    expect(limited).toMatchObject({ status: 429, body: { code: 8 } });
    expect(Number(limited.headers.get('x-ratelimit-reset'))).toBeGreaterThan(0);
    expect(Number(limited.headers.get('x-ratelimit-reset'))).toBeLessThanOrEqual(60);
    await tight.stop();
  });

  it('ends access when the user revokes it', async () => {
    const { id } = (await user.get('user_account')).body;
    await sandbox.control(`/accounts/${id}/revoke`, {});
    expect(await user.get('user_account')).toMatchObject({ status: 401, body: { code: 2 } });
    user = await connectPinterest(sandbox);
    expect((await user.get('user_account')).status).toBe(200);
  });
});
