import { connectPage, connectX, mediaServer, runningSandbox, until, type RunningSandbox } from './running-sandbox.ts';

let sandbox: RunningSandbox;
let user: Awaited<ReturnType<typeof connectX>>;

beforeEach(async () => {
  sandbox = await runningSandbox();
  user = await connectX(sandbox);
});
afterEach(() => sandbox.stop());

const add = async (fault: Record<string, unknown>, more: Record<string, unknown> = {}) => {
  const { status, body } = await sandbox.control('/faults', { platform: 'x', call: 'x.create_post', fault, ...more });
  expect(status).toBe(201);
  return body.id as string;
};
const posted = async () => ((await sandbox.control('/posts')).body.items as { text: string }[]).map((post) => post.text);
const holding = (id: string) =>
  until(
    () => sandbox.control(`/faults/${id}`),
    ({ body }) => body.holding,
  );
const lastRequest = async () => (await sandbox.control('/requests?path=/2/tweets')).body.items.at(-1);

it('responds instead of the platform, as often as configured', async () => {
  await add({ type: 'status', status: 503, body: { title: 'Over capacity' }, headers: { 'retry-after': '7' } }, { times: 2 });
  for (let round = 0; round < 2; round++) {
    const failed = await user.post('tweets', { text: 'a' });
    expect(failed).toMatchObject({ status: 503, body: { title: 'Over capacity' } });
    expect(failed.headers.get('retry-after')).toBe('7');
  }
  expect(await posted()).toEqual([]);
  expect((await user.post('tweets', { text: 'a' })).status).toBe(201);
  expect((await sandbox.control('/faults')).body.items[0]).toMatchObject({ fired: 2, holding: false });
});

it('begins after as many calls as configured', async () => {
  await add({ type: 'status', status: 503 }, { after: 2 });
  const statuses = [];
  for (let call = 0; call < 4; call++) statuses.push((await user.post('tweets', { text: `${call}` })).status);
  expect(statuses).toEqual([201, 201, 503, 201]);
});

it('fails after the work was done', async () => {
  await add({ type: 'status', status: 500, apply: 'after' });
  expect((await user.post('tweets', { text: 'done' })).status).toBe(500);
  expect(await posted()).toEqual(['done']);
});

it.each([
  ['drop', []],
  ['accept_then_drop', ['lost']],
])('%s leaves the caller without a response', async (type, expected) => {
  await add({ type });
  await expect(user.post('tweets', { text: 'lost' })).rejects.toThrow();
  expect(await posted()).toEqual(expected);
  expect(await lastRequest()).toMatchObject({ completed: false, fault: type });
});

it('accept_then_timeout does the work and never responds', async () => {
  const id = await add({ type: 'accept_then_timeout' });
  const waiting = user.post('tweets', { text: 'silence' });
  waiting.catch(() => {});
  await holding(id);
  expect(await posted()).toEqual(['silence']);
  await sandbox.control(`/faults/${id}`, undefined, 'DELETE');
  await expect(waiting).rejects.toThrow();
});

it('accept_then_timeout ends by itself if configured', async () => {
  await add({ type: 'accept_then_timeout', ms: 1 });
  await expect(user.post('tweets', { text: 'short' })).rejects.toThrow();
  expect(await posted()).toEqual(['short']);
});

it('hold keeps a call before its work until it is released', async () => {
  const id = await add({ type: 'hold' });
  const waiting = user.post('tweets', { text: 'patience' });
  await holding(id);
  expect(await posted()).toEqual([]);
  await sandbox.control(`/faults/${id}/release`, {});
  expect((await waiting).status).toBe(201);
  expect(await posted()).toEqual(['patience']);
});

it.each([
  ['hold', []],
  ['hold_after', ['gone']],
])('%s, when the caller disconnects meanwhile', async (type, expected) => {
  const id = await add({ type });
  const client = new AbortController();
  const token = `Bearer ${user.tokens.access_token}`;
  const waiting = sandbox.call('https://api.x.com/2/tweets', {
    json: { text: 'gone' },
    headers: { authorization: token },
    signal: client.signal,
  });
  waiting.catch(() => {});
  await holding(id);
  client.abort();
  await until(
    () => sandbox.control(`/faults/${id}`),
    ({ body }) => !body.holding,
  );
  await sandbox.control(`/faults/${id}/release`, {});
  expect(await posted()).toEqual(expected);
});

it('hold_after responds when its fault is removed', async () => {
  const id = await add({ type: 'hold_after' }, { times: null });
  const waiting = user.post('tweets', { text: 'kept' });
  await holding(id);
  expect(await posted()).toEqual(['kept']);
  await sandbox.control(`/faults/${id}`, undefined, 'DELETE');
  expect((await waiting).status).toBe(201);
});

it('delays, truncates, returns a page, or revokes the token', async () => {
  await add({ type: 'delay', ms: 5 });
  expect((await user.post('tweets', { text: 'slow' })).status).toBe(201);
  await add({ type: 'truncate' });
  await expect(user.post('tweets', { text: 'half' })).rejects.toThrow();
  await add({ type: 'html' });
  const page = await user.post('tweets', { text: 'page' });
  expect(page).toMatchObject({ status: 502, text: expect.stringContaining('<html>') });
  await add({ type: 'revoked_token' });
  expect(await user.post('tweets', { text: 'revoked' })).toMatchObject({ status: 401, body: { title: 'Unauthorized' } });
  expect(await posted()).toEqual(['slow', 'half']);
});

it('makes the processing of media fail', async () => {
  const media = await mediaServer();
  const page = await connectPage(sandbox, 'instagram');
  await sandbox.control('/faults', {
    platform: 'instagram',
    call: 'instagram.create_container',
    fault: { type: 'processing_error', code: 2207053, message: 'unknown upload error' },
  });
  const made = await page.post(`${page.instagramId}/media`, { image_url: media.url('square.jpg') });
  const failed = await until(
    () => page.get(made.body.id, { fields: 'status_code,status' }),
    ({ body }) => body.status_code === 'ERROR',
  );
  expect(failed.body.status).toContain('2207053');
  await media.stop();
});

it('also matches by method and path', async () => {
  await sandbox.control('/faults', {
    platform: 'facebook',
    call: { method: 'POST', path: '/v*/*/feed' },
    fault: { type: 'status', status: 500 },
  });
  const page = await connectPage(sandbox);
  expect((await page.get(`${page.pageId}/feed`)).status).toBe(200);
  expect((await page.post(`${page.pageId}/feed`, { message: 'a' })).status).toBe(500);
  expect((await page.post(`${page.pageId}/feed`, { message: 'a' })).status).toBe(200);
});

it.each([
  ['an unknown operation', { call: 'x.dance' }, 'x has no operation x.dance'],
  ['an operation of another platform', { call: 'facebook.create_feed_post' }, 'x has no operation'],
  ['an unknown platform', { platform: 'myspace' }, 'platform'],
  ['an unknown fault', { fault: { type: 'gremlin' } }, 'fault.type'],
  ['an unknown field', { fault: { type: 'drop', how: 'hard' } }, 'how'],
  ['zero times', { times: 0 }, 'times'],
  ['processing of a call without any', { fault: { type: 'slow_processing', ms: 5 } }, 'starts no background processing'],
])('rejects a fault with %s', async (_, change, message) => {
  const rejected = await sandbox.control('/faults', { platform: 'x', call: 'x.create_post', fault: { type: 'drop' }, ...change });
  expect(rejected).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining(message) } } });
  expect((await sandbox.control('/faults')).body.items).toEqual([]);
});

it('rejects unknown control calls, and invalid JSON', async () => {
  expect((await sandbox.control('/nonsense')).status).toBe(404);
  expect((await sandbox.control('/faults/fault-9')).status).toBe(404);
  const malformed = await sandbox.call('/_control/faults', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } });
  expect(malformed).toMatchObject({ status: 400, body: { error: { message: expect.any(String) } } });
});
