import type { CreatePostRequest } from '@fanfare/contracts/content';
import { DomainError, ERROR_TABLE } from '@fanfare/errors';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { BYTES } from '../values.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { startSecond, type SecondGateway } from '../two-gateways.ts';

let gateway: RunningGateway;
let second: SecondGateway;
let path: string;
beforeAll(async () => {
  gateway = await startGateway();
  second = await startSecond(gateway);
  path = `/api/businesses/${gateway.businessId}/posts`;
});
afterAll(async () => {
  await second.stop();
  await gateway.stop();
});
beforeEach(() => {
  gateway.services.calls.length = 0;
  gateway.services.posts.clear();
});

const send = (
  by: Pick<RunningGateway, 'call'>,
  key: string,
  body: unknown = { caption: 'Fresh bread' },
  headers: Record<string, string> = {},
) =>
  by.call(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
  });
const creates = () => gateway.services.calls.filter(({ method }) => method === 'createPost');
const replayed = (response: Response) => response.headers.get('idempotency-replayed');

describe('a repeat', () => {
  it('returns the same, with its own request id and limits', async () => {
    const key = newId();
    const first = await send(gateway, key);
    const repeat = await send(second, key);
    const bodies = [await first.text(), await repeat.text()];
    expect([first.status, replayed(first)]).toEqual([201, null]);
    expect([repeat.status, replayed(repeat)]).toEqual([201, 'true']);
    expect(bodies[1]).toBe(bodies[0]);
    for (const name of ['location', 'etag', 'content-type']) expect(repeat.headers.get(name)).toBe(first.headers.get(name));
    expect(repeat.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(Number(repeat.headers.get('ratelimit-remaining'))).toBe(Number(first.headers.get('ratelimit-remaining')) - 1);
    expect(gateway.services.posts.size).toBe(1);
  });

  it('twenty concurrent requests to two gateways create one post and return nineteen replays', async () => {
    const key = newId();
    const responses = await Promise.all(Array.from({ length: 20 }, (_, at) => send(at % 2 ? gateway : second, key)));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(responses.filter((response) => replayed(response) === 'true')).toHaveLength(19);
    expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1);
    // On a very slow machine another process may take over. Then it is still one operation, of which content creates one post.
    expect(new Set(creates().map(({ request }) => (request as CreatePostRequest).operationId)).size).toBe(1);
    expect(gateway.services.posts.size).toBe(1);
  });

  it('with another body is rejected', async () => {
    const key = newId();
    await send(gateway, key);
    const response = await send(second, key, { caption: 'Other bread' });
    await expectProblem(response, { status: 422, code: 'IDEMPOTENCY_KEY_CONFLICT' });
    expect(replayed(response)).toBeNull();
    expect((await send(second, key, { caption: 'Fresh bread', metadata: {} })).status).toBe(422);
    expect(creates()).toHaveLength(1);
  });

  it('of a rejected body is rejected again, with its own request id', async () => {
    const key = newId();
    const body = { caption: 'x', publish_to: ['facebook'] };
    const problems = [
      await expectProblem(await send(gateway, key, body), { status: 422, code: 'validation_failed', param: 'publish_to' }),
      await expectProblem(await send(second, key, body), { status: 422, code: 'validation_failed', param: 'publish_to' }),
    ];
    expect(problems[1]?.['errors']).toEqual(problems[0]?.['errors']);
    expect(problems[1]?.['request_id']).not.toBe(problems[0]?.['request_id']);
    const third = await send(gateway, key, body, { accept: 'application/json' });
    expect([replayed(third), Object.keys((await third.json()) as object)]).toEqual(['true', ['error']]);
  });

  it('that a service has rejected calls it again, for the same post, because a missing condition may be met by now', async () => {
    for (const code of ['resource_not_found', 'invalid_request', 'invalid_value', 'conflict'] as const) {
      const key = newId();
      gateway.services.calls.length = 0;
      gateway.services.failures.set('createPost', new DomainError(code, 'Not now.'));
      expect((await send(gateway, key)).status).toBe(ERROR_TABLE[code].httpStatus);
      const repeat = await send(second, key);
      expect([repeat.status, replayed(repeat)]).toEqual([201, null]);
      const [one, other] = creates().map(({ request }) => request as { postId: string; operationId: string });
      expect([other?.postId, other?.operationId]).toEqual([one?.postId, one?.operationId]);
    }
  });

  it('of a post with a missing field is rejected again', async () => {
    const key = newId();
    gateway.services.failures.set('createPost', new DomainError('missing_field', 'It lacks a time.', { param: 'scheduled_publish_time' }));
    await expectProblem(await send(gateway, key), { status: 400, code: 'missing_field', param: 'scheduled_publish_time' });
    const repeat = await send(second, key);
    expect(replayed(repeat)).toBe('true');
    await expectProblem(repeat, { status: 400, code: 'missing_field', param: 'scheduled_publish_time' });
    expect(creates()).toHaveLength(1);
  });

  it('after an internal error runs again, for the same post', async () => {
    const key = newId();
    gateway.services.failures.set('createPost', new Error('unavailable'));
    await expectProblem(await send(gateway, key), { status: 500, code: 'internal_error' });
    const repeat = await send(second, key);
    expect([repeat.status, replayed(repeat)]).toEqual([201, null]);
    const [one, other] = creates().map(({ request }) => request as { postId: string; operationId: string });
    expect([other?.postId, other?.operationId]).toEqual([one?.postId, one?.operationId]);
  });

  it('by a caller without permission is rejected, whatever the stored response is', async () => {
    const key = newId();
    await send(gateway, key);
    await expectProblem(await gateway.call(path, { method: 'POST', key: null, headers: { 'idempotency-key': key } }), {
      status: 401,
      code: 'authentication_required',
    });
    const foreign = await gateway.newKey();
    await expectProblem(await gateway.call(path, { method: 'POST', key: foreign, headers: { 'idempotency-key': key } }), {
      status: 403,
      code: 'permission_denied',
      param: 'business_id',
    });
  });

  it('returns the response of a request whose client disconnected', async () => {
    const key = newId();
    const hangUp = new AbortController();
    let go: () => void = () => undefined;
    gateway.services.holds.set('createPost', new Promise<void>((resolve) => (go = resolve)));
    const first = gateway.call(path, {
      method: 'POST',
      body: JSON.stringify({ caption: 'Fresh bread', link: 'https://slow.example/' }),
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      signal: hangUp.signal,
    });
    await eventually(() => creates().length === 1);
    hangUp.abort();
    await expect(first).rejects.toThrow();
    const repeat = send(second, key, { caption: 'Fresh bread', link: 'https://slow.example/' });
    go();
    expect([(await repeat).status, replayed(await repeat)]).toEqual([201, 'true']);
    expect(creates()).toHaveLength(1);
  });
});

describe('the header', () => {
  it.each(['', ' ', 'a b', 'x'.repeat(256), 'caf\u00e9'])('must have 1 to 255 visible characters: %j', async (key) => {
    await expectProblem(await send(gateway, key), { status: 400, code: 'invalid_value', param: 'Idempotency-Key' });
  });

  it.each(['!', 'x'.repeat(255), '$a.b', '__proto__'])('may be %j', async (key) => {
    expect((await send(gateway, key)).status).toBe(201);
    expect(replayed(await send(gateway, key))).toBe('true');
  });

  it('is ignored if nothing is created', async () => {
    for (let at = 0; at < 2; at++) {
      const response = await gateway.call(path, { headers: { 'idempotency-key': 'a b' } });
      expect([response.status, replayed(response)]).toEqual([200, null]);
    }
  });
});

describe('an upload', () => {
  const upload = (key: string, bytes: string, altText = 'Bread') => {
    const form = new FormData();
    form.append('alt_text', altText);
    form.append('file', new Blob([bytes]));
    return second.call(`/api/businesses/${gateway.businessId}/media`, {
      method: 'POST',
      body: form,
      headers: { 'idempotency-key': key },
    });
  };

  it('is stored once; a repeat is recognized by its content, however its parts are ordered', async () => {
    const key = newId();
    gateway.services.uploads.clear();
    const first = await upload(key, BYTES);
    const repeat = await upload(key, BYTES);
    expect([first.status, repeat.status, replayed(repeat)]).toEqual([201, 201, 'true']);
    expect(await repeat.text()).toBe(await first.text());
    expect(gateway.services.uploads.size).toBe(1);
    for (const other of [upload(key, 'other bytes'), upload(key, BYTES, 'Rolls')]) {
      await expectProblem(await other, { status: 422, code: 'IDEMPOTENCY_KEY_CONFLICT' });
    }
    expect(gateway.services.uploads.size).toBe(1);
  });

  it('that was rejected can be sent again', async () => {
    const key = newId();
    expect((await upload(key, 'no image')).status).toBe(400);
    expect((await upload(key, BYTES)).status).toBe(201);
  });

  it('of other bytes conflicts, if a crash left the first ones stored', async () => {
    const key = newId();
    await upload(key, BYTES);
    await gateway.context.db
      .collection('idempotency_records')
      .updateOne({ _id: `${gateway.organizationId}:${key}` as never }, { $unset: { answer: 1, digest: 1 } });
    await expectProblem(await upload(key, 'other bytes'), { status: 422, code: 'IDEMPOTENCY_KEY_CONFLICT' });
    expect((await upload(key, BYTES)).status).toBe(201);
  });
});
