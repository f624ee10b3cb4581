import { deadlineIn } from '@fanfare/runtime';
import { Agent } from 'undici';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../test/scripted-platform/scripted-platform.ts';
import type { PlatformFailure } from './calls/failure.ts';
import type { PlatformRequest } from './calls/http.ts';
import type { PlatformClientOptions } from './platform-client.ts';

const url = 'https://graph.facebook.com/v25.0/me';
const get: PlatformRequest = { method: 'GET', url };
const commit: PlatformRequest = { method: 'POST', url, body: { json: { message: 'hi' } }, commit: true };

let platform: ScriptedPlatform;
const start = async (responses: readonly ScriptedResponse[], options?: Partial<PlatformClientOptions>) =>
  (platform = await scriptedPlatform(responses, options));
const send = (request: PlatformRequest, deadline = deadlineIn(10_000)) => platform.client.http('facebook', deadline).send(request);
const failureOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error as PlatformFailure,
  );

afterEach(() => platform.close());

test('a request to a real host goes to the base URL, host and path kept', async () => {
  await start([{ json: { ok: true } }]);
  const reply = await send({ method: 'GET', url, query: { fields: 'id,name', after: undefined }, headers: { authorization: 'Bearer t' } });
  expect(reply).toMatchObject({ status: 200, json: { ok: true } });
  expect(platform.received).toMatchObject([{ method: 'GET', url, query: { fields: 'id,name' }, headers: { authorization: 'Bearer t' } }]);
});

test('pages for people are mapped like calls, and only when there is a base URL', async () => {
  await start([]);
  expect(platform.client.publicUrl('https://www.facebook.com/reel/1?a=b')).toBe(`${platform.baseUrl}/www.facebook.com/reel/1?a=b`);
  const real = await scriptedPlatform([], { baseUrl: undefined });
  expect(real.client.publicUrl('https://www.facebook.com/reel/1')).toBe('https://www.facebook.com/reel/1');
  await real.close();
});

test.each([
  'http://graph.facebook.com/me',
  'https://graph.facebook.com.evil.example/me',
  'https://evil.example/graph.facebook.com',
  'https://api.x.com/2/users/me',
  'https://graph.facebook.com:8443/me',
  'https://user:pass@graph.facebook.com/me',
  'https://127.0.0.1/me',
  'no address',
])('%s does not belong to Facebook and gets no request', async (foreign) => {
  await start([{ json: {} }]);
  expect(await failureOf(send({ method: 'GET', url: foreign }))).toMatchObject({ class: 'validation', effect: 'not_sent' });
  expect(platform.received).toHaveLength(0);
});

test.each([
  ['a redirect', { status: 302, headers: { location: 'https://graph.facebook.com/elsewhere' } }, 302],
  ['an error page', { status: 502, text: '<html>Bad gateway</html>' }, 502],
  ['broken JSON', { status: 200, text: '{"id": "1' }, 200],
])('%s is returned unchanged, without following redirects', async (_what, reply, status) => {
  await start([reply]);
  expect(await send(get)).toMatchObject({ status, json: undefined });
  expect(platform.received).toHaveLength(1);
});

test('multipart, form and JSON bodies arrive as such', async () => {
  await start([{ json: {} }, { json: {} }]);
  const multipart = [
    { name: 'segment_index', value: '0' },
    { name: 'media', filename: 'media', contentType: 'image/png', bytes: Buffer.from([1, 2, 3]) },
  ];
  await send({ method: 'POST', url, body: { multipart } });
  await send({ method: 'POST', url, body: { form: { caption: 'a b&c' } } });
  expect(platform.received.map(({ body }) => body)).toEqual([
    { segment_index: '0', media: { type: 'image/png', size: 3 } },
    { caption: 'a b&c' },
  ]);
});

describe('a file that is read while it is sent', () => {
  const form = (sizeBytes: number, read = async (from: number, to: number) => Buffer.alloc(to - from + 1, 'x')): PlatformRequest => {
    const file = { name: 'file', filename: 'film', contentType: 'video/mp4', sizeBytes, read };
    return { method: 'POST', url, body: { multipart: [{ name: 'key', value: 'a b' }, file] } };
  };

  test('arrives complete, after the other fields, with a declared length', async () => {
    await start([{ json: {} }]);
    await send(form(3 * 1024 * 1024 + 5));
    const [received] = platform.received;
    expect(received?.body).toEqual({ key: 'a b', file: { type: 'video/mp4', size: 3 * 1024 * 1024 + 5 } });
    expect(received?.headers).toMatchObject({ 'content-length': expect.stringMatching(/^3145\d{3}$/) });
    expect(received?.headers).not.toHaveProperty('transfer-encoding');
  });

  test('may take longer than the timeout of a call, while pieces are being sent', async () => {
    await start([{ json: {} }], { timeoutMs: 5_000 });
    const read = async (from: number, to: number) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return Buffer.alloc(to - from + 1);
    };
    expect(await send(form(4 * 1024 * 1024, read))).toMatchObject({ status: 200 });
  });

  test('that becomes unreadable aborts the request', async () => {
    await start([{ json: {} }]);
    const read = async (from: number, to: number) => {
      if (from > 0) throw new Error('the library is unavailable');
      return Buffer.alloc(to - from + 1);
    };
    expect(await failureOf(send(form(2 * 1024 * 1024, read)))).toMatchObject({
      class: 'transient',
      cause: { message: 'the library is unavailable' },
    });
    expect(platform.received).toHaveLength(0);
  });
});

describe('what is known about a request without a response', () => {
  test('an unreachable host: not sent', async () => {
    await start([], { baseUrl: 'http://127.0.0.1:1' });
    expect(await failureOf(send(commit))).toMatchObject({ class: 'transient', effect: 'not_sent', detail: { code: 'ECONNREFUSED' } });
  });

  test('a connection that broke after the request: unknown, and not sent again', async () => {
    await start(['drop', { json: {} }]);
    expect(await failureOf(send(commit))).toMatchObject({ class: 'transient', effect: 'unknown' });
    expect(platform.received).toHaveLength(1);
  });

  test('neither is on a kept-alive connection that the platform has closed meanwhile', async () => {
    await start([{ json: {} }, 'drop', { json: {} }]);
    await send(get);
    expect(await failureOf(send(commit))).toMatchObject({ effect: 'unknown' });
    expect(platform.calls()).toEqual([`GET ${url}`, `POST ${url}`]);
  });

  test('no response in time: unknown', async () => {
    await start([() => undefined]);
    // Long enough for a busy machine to send it.
    expect(await failureOf(send(commit, deadlineIn(2_000)))).toMatchObject({
      class: 'transient',
      effect: 'unknown',
      detail: { reason: 'no response in time' },
    });
  });

  test('an incomplete response: unknown', async () => {
    await start([(_request, response) => response.writeHead(200, { 'content-length': '100' }).write('{"id":', () => response.destroy())]);
    expect(await failureOf(send(commit))).toMatchObject({ class: 'transient', effect: 'unknown' });
  });

  test('a response of fifty megabytes is not read completely', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 0x20);
    let written = 0;
    await start([
      (_request, response) => {
        const more = () => {
          while (written < 50 && !response.destroyed) if ((written++, !response.write(megabyte))) return void response.once('drain', more);
          response.end();
        };
        more();
      },
    ]);
    expect(await failureOf(send(get))).toMatchObject({ class: 'transient', effect: 'unknown' });
    expect(written).toBeLessThan(50);
  });
});

describe('the commit deadline', () => {
  test('passed: nothing is sent', async () => {
    await start([{ json: {} }]);
    expect(await failureOf(send(commit, deadlineIn(0)))).toMatchObject({ class: 'transient', effect: 'not_sent' });
    expect(platform.received).toHaveLength(0);
  });

  test('passing while the request waits for a free connection: nothing is sent, not even later', async () => {
    let release = () => {};
    const hold: ScriptedResponse = (_request, response) => {
      release = () => void response.end('{}');
    };
    await start([hold, { json: {} }, { json: {} }], { dispatcher: new Agent({ connections: 1, allowH2: false }) });
    const first = send(get);
    expect(await failureOf(send(commit, deadlineIn(80)))).toMatchObject({ class: 'transient', effect: 'not_sent' });
    release();
    await first;
    await send({ ...get, url: `${url}/later` });
    expect(platform.calls()).toEqual([`GET ${url}`, `GET ${url}/later`]);
  });

  test('passing at the last moment, with a kept-alive connection available: nothing is sent', async () => {
    await start([{ json: {} }, { json: {} }]);
    await send(get);
    let checks = 0;
    const passesWhenChecked = { passed: () => ++checks > 0, remainingMs: () => 10_000 };
    expect(await failureOf(send(commit, passesWhenChecked))).toMatchObject({
      effect: 'not_sent',
      detail: { reason: 'the deadline has passed' },
    });
    await send({ ...get, url: `${url}/later` });
    expect(platform.calls()).toEqual([`GET ${url}`, `GET ${url}/later`]);
  });

  test('is required for a commit', async () => {
    await start([]);
    await expect(platform.client.http('facebook').send(commit)).rejects.toThrow('a commit requires a deadline');
  });
});

test('secrets that a platform quotes are masked', async () => {
  const secrets = { access_token: 'opaque-token-0815', appsecret_proof: 'a1b2c3d4e5f6a7b8', code: 'one-time-code-77' };
  await start([{ status: 400, json: { error: { message: `Malformed ${Object.values(secrets).join(' ')} of Bearer-Value-4711` } } }]);
  const reply = await send({ ...get, query: secrets, headers: { authorization: 'Bearer Bearer-Value-4711' } });
  expect(reply.json).toEqual({ error: { message: 'Malformed *** *** *** of ***' } });
});

describe('the breaker', () => {
  const states: string[] = [];
  const options = { breakerResetMs: 20, onBreakerChange: (name: string, state: string) => states.push(`${name} ${state}`) };
  beforeEach(() => states.splice(0));

  test("opens on the platform's failures, rejects without sending, and closes when the platform is available again", async () => {
    const failing = Array.from({ length: 10 }, () => ({ status: 503, text: 'busy' }));
    await start([...failing, { json: {} }], options);
    for (const { status } of failing) expect(await send(get)).toMatchObject({ status });
    expect(await failureOf(send(get))).toMatchObject({ class: 'transient', effect: 'not_sent', retryAfterMs: 1_000 });
    expect(platform.received).toHaveLength(10);
    expect(states).toEqual(['facebook open']);

    let reply;
    while (!reply) reply = await send(get).catch(() => new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined))));
    expect(reply.status).toBe(200);
    expect(states).toEqual(['facebook open', 'facebook half_open', 'facebook closed']);
  });

  test('that opens because posts cannot be deleted rejects nothing else', async () => {
    const failing = Array.from({ length: 10 }, () => ({ status: 503, text: 'busy' }));
    const calls: string[] = [];
    const onCall = (name: string) => (calls.push(name), { progress: () => undefined, end: () => undefined });
    await start([...failing, { json: { ok: true } }], { ...options, breakerResetMs: 60_000, onCall });
    const removal: PlatformRequest = { method: 'DELETE', url };
    for (const { status } of failing) expect(await send(removal)).toMatchObject({ status });
    expect(await failureOf(send(removal))).toMatchObject({ class: 'transient', effect: 'not_sent' });
    expect(await send(get)).toMatchObject({ status: 200 });
    expect([states, calls]).toEqual([[], ['facebook']]);
  });

  test('does not open on rejections, which concern one account', async () => {
    await start(
      Array.from({ length: 30 }, (_, at) => ({ status: [400, 401, 403, 429][at % 4] ?? 400, json: { error: {} } })),
      options,
    );
    for (let sent = 0; sent < 30; sent++) await send(get);
    expect(platform.received).toHaveLength(30);
    expect(states).toEqual([]);
  });
});
