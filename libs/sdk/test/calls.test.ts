import { createFanfare, FanfareError, infoOf, SDK_VERSION, type FanfareSettings } from '@fanfare/sdk';
import { startScriptedApi, type ScriptedApi } from './scripted-api.ts';

let api: ScriptedApi;
beforeAll(async () => {
  api = await startScriptedApi();
});
afterAll(() => api.stop());

const BUSINESS = '0197f3a0-5c1e-7d2b-9a44-2f6f0c8e1b11';
const client = (settings: Partial<FanfareSettings> = {}) => createFanfare({ baseUrl: api.baseUrl, apiKey: 'fk_test_1', ...settings });
const problem = (code: string, status: number, more: object = {}) => ({
  type: `https://api.example.com/errors/${code}`,
  title: 'Title',
  status,
  detail: 'Detail.',
  code,
  instance: '/api/x',
  request_id: 'req_1',
  ...more,
});
const failure = async (call: PromiseLike<unknown>) => {
  try {
    await call;
  } catch (error) {
    return error as FanfareError;
  }
  throw new Error('The call did not fail.');
};
const broken = (response: { destroy(): void }) => response.destroy();

describe('a call', () => {
  it('says who calls, in which version and of which flow', async () => {
    api.reply({ body: { id: 'p' } });
    await client().posts.get(BUSINESS, 'a/b', { flowId: 'order-17' });
    expect(api.received).toMatchObject([
      {
        method: 'GET',
        path: `/api/businesses/${BUSINESS}/posts/a%2Fb`,
        headers: { authorization: 'Bearer fk_test_1', 'service-version': '2026-08-06', 'x-flow-id': 'order-17' },
      },
    ]);
  });

  it('names the library and what runs it', async () => {
    api.reply({});
    await client().health.get();
    expect(api.received[0]?.headers['user-agent']).toBe(`fanfare-sdk/${SDK_VERSION} node/${process.versions.node}`);
  });

  it('sends a body as JSON, and files in parts of which the file is the last', async () => {
    api.reply({ status: 201, body: { id: 'p' } });
    await client().posts.create(BUSINESS, { caption: 'Grüße' });
    expect(api.received[0]).toMatchObject({ headers: { 'content-type': 'application/json' }, body: '{"caption":"Grüße"}' });

    await client().media.upload(BUSINESS, { file: new File(['bytes'], 'a.jpg', { type: 'image/jpeg' }), alt_text: 'Bread' });
    const { headers, body } = api.received[1] ?? { headers: {}, body: '' };
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(body).toMatch(/name="alt_text"[\s\S]*Bread[\s\S]*name="file"; filename="a.jpg"[\s\S]*bytes/);
  });

  it('gets the credential again for each request, so that it may change', async () => {
    let count = 0;
    const fanfare = client({ apiKey: async () => `token-${(count += 1)}` });
    await fanfare.health.get();
    await fanfare.health.get();
    expect(api.received.slice(-2).map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('returns what came along with the response', async () => {
    const headers = {
      'x-request-id': 'req_7',
      etag: '"3.2026-08-06"',
      'ratelimit-limit': '100',
      'ratelimit-remaining': '41',
      'ratelimit-reset': '1786000000',
      'idempotency-replayed': 'true',
    };
    api.reply({ status: 201, headers, body: { id: 'p' } });
    expect(infoOf(await client().posts.create(BUSINESS, {}))).toMatchObject({
      status: 201,
      requestId: 'req_7',
      etag: '"3.2026-08-06"',
      isReplayed: true,
      rateLimit: { limit: 100, remaining: 41, resetAt: new Date(1786000000_000) },
    });
    expect(() => infoOf({ id: 'p' })).toThrow(TypeError);
  });
});

describe('an edit', () => {
  it('carries the tag of what was read, or one that was kept', async () => {
    api.reply({ headers: { etag: '"3.2026-08-06"' }, body: { id: 'p' } });
    const { posts } = client();
    const read = await posts.get(BUSINESS, 'p');
    await posts.update(BUSINESS, 'p', { caption: 'New' }, { ifMatch: read });
    await posts.delete(BUSINESS, 'p', { ifMatch: '"9.2026-08-06"' });
    await posts.update(BUSINESS, 'p', { caption: 'New' });
    expect(api.received.map(({ headers }) => headers['if-match'])).toEqual([undefined, '"3.2026-08-06"', '"9.2026-08-06"', undefined]);
  });

  it('is rejected here if what was read has no tag', async () => {
    api.reply({ body: { id: 'p' } });
    const { posts } = client();
    const read = await posts.get(BUSINESS, 'p');
    expect(() => posts.update(BUSINESS, 'p', {}, { ifMatch: read })).toThrow(TypeError);
  });
});

describe('a failed call', () => {
  it('has everything that the problem says', async () => {
    const errors = [{ param: 'publish_to', code: 'validation_failed', detail: 'There is no field "publish_to".' }];
    api.reply({ status: 422, body: problem('validation_failed', 422, { param: 'publish_to', errors }) });
    const error = await failure(client().posts.create(BUSINESS, {}));
    expect(error).toBeInstanceOf(FanfareError);
    expect(error).toMatchObject({ code: 'validation_failed', status: 422, param: 'publish_to', errors, requestId: 'req_1' });
    expect(error.message).toBe('validation_failed: Detail.');
    expect(api.received).toHaveLength(1);
  });

  it.each([
    ['a page of a proxy', (r: { end(s: string): void }) => r.end('<html>'), 'unreadable_response'],
    ['a broken connection', broken, 'connection_failed'],
  ] as const)('is typed for %s', async (_name, reply, code) => {
    api.reply((response) => {
      response.statusCode = 400;
      reply(response);
    });
    expect(await failure(client({ maxRetries: 0 }).health.get())).toMatchObject({ name: 'FanfareError', code });
  });

  it('is typed when nothing responds in time', async () => {
    api.reply(() => {});
    const error = await failure(client().health.get({ timeoutMs: 50, maxRetries: 0 }));
    expect(error).toMatchObject({ code: 'timed_out', status: undefined });
  });

  it('rejects with the own reason of who gave up', async () => {
    api.reply({ status: 429, headers: { 'retry-after': '20' }, body: problem('rate_limit_exceeded', 429) });
    const giveUp = new AbortController();
    const call = client().health.get({ signal: giveUp.signal });
    const reason = new Error('enough');
    giveUp.abort(reason);
    expect(await failure(call)).toBe(reason);
  });
});

describe('a retry', () => {
  const down = { status: 500, body: problem('internal_error', 500) };
  const ok = { body: { id: 'p' } };

  it.each([
    ['a failure on the other side', down],
    ['a broken connection', broken],
    [
      'a response that breaks off',
      (response: { write(s: string): void; socket: { destroy(): void } | null }) => {
        response.write('{"id":');
        response.socket?.destroy();
      },
    ],
  ] as const)('reads again after %s', async (_name, reply) => {
    api.reply(reply, ok);
    expect(await client().posts.get(BUSINESS, 'p')).toEqual({ id: 'p' });
    expect(api.received).toHaveLength(2);
  });

  it('creates with the same key and the same body, so that nothing is created twice', async () => {
    api.reply(broken, down, { status: 201, body: { id: 'p' } });
    await client().posts.create(BUSINESS, { caption: 'Once' });
    expect(api.received).toHaveLength(3);
    expect(new Set(api.received.map(({ headers, body }) => JSON.stringify([headers['idempotency-key'], body]))).size).toBe(1);
    expect(api.received[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    await client().posts.create(BUSINESS, { caption: 'Once' }, { idempotencyKey: 'mine' });
    expect(api.received.at(-1)?.headers['idempotency-key']).toBe('mine');
  });

  it('does not repeat an edit that may have been made, unless it exceeded a rate limit', async () => {
    api.reply(down, ok);
    expect(await failure(client().posts.update(BUSINESS, 'p', {}))).toMatchObject({ code: 'internal_error' });
    expect(api.received).toHaveLength(1);
    api.reply({ status: 429, headers: { 'retry-after': '0' }, body: problem('rate_limit_exceeded', 429) }, ok);
    await client().posts.update(BUSINESS, 'p', {});
    expect(api.received).toHaveLength(2);
  });

  it('gives up after as many as it may', async () => {
    api.reply(down);
    expect(await failure(client({ maxRetries: 1 }).posts.get(BUSINESS, 'p'))).toMatchObject({ status: 500 });
    expect(api.received).toHaveLength(2);
  });

  it('does not wait for a window that is long in coming', async () => {
    api.reply({ status: 429, headers: { 'retry-after': '86400' }, body: problem('rate_limit_exceeded', 429, { window: 'day' }) });
    const error = await failure(client().posts.get(BUSINESS, 'p'));
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 86_400, problem: { window: 'day' } });
    expect(api.received).toHaveLength(1);
  });
});

describe('a list', () => {
  const pages = [
    { items: [{ id: 1 }, { id: 2 }], next: 'c1' },
    { items: [], next: 'c 2' },
    { items: [{ id: 3 }], next: null },
  ];
  const replies = pages.map((body) => ({ body }));

  it('goes through every page, an empty one too, with the same filter', async () => {
    api.reply(...replies);
    const seen = [];
    for await (const { id } of client().posts.list(BUSINESS, { status: ['NEW', 'DRAFT'], limit: 2 })) seen.push(id);
    expect(seen).toEqual([1, 2, 3]);
    const path = `/api/businesses/${BUSINESS}/posts?status=NEW&status=DRAFT&limit=2`;
    expect(api.received.map((request) => request.path)).toEqual([path, `${path}&cursor=c1`, `${path}&cursor=c%202`]);
  });

  it('reads no further than requested', async () => {
    api.reply(...replies);
    expect(await client().posts.list(BUSINESS).toArray(2)).toEqual([{ id: 1 }, { id: 2 }]);
    expect(api.received).toHaveLength(1);
  });

  it('can be had as pages, to continue later', async () => {
    api.reply(...replies);
    const first = await client().posts.list(BUSINESS).page();
    expect(first).toEqual(pages[0]);
    await client()
      .posts.list(BUSINESS, { cursor: first.next ?? '' })
      .page();
    expect(api.received[1]?.path).toContain('cursor=c1');
    api.reply(...replies);
    const all = [];
    for await (const page of client().posts.list(BUSINESS).pages()) all.push(page);
    expect(all).toEqual(pages);
  });
});
