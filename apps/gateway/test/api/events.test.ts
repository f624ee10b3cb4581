import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const append: RunningGateway['services']['feed']['append'] = (organizationId, more) => gateway.services.feed.append(organizationId, more);
const lastRequest = () => gateway.services.calls.filter(({ method }) => method === 'listEvents').at(-1)?.request;
const bodyOf = async (response: Response) => (await response.json()) as Record<string, unknown>;

describe('GET /api/events', () => {
  test('returns the events of the organization, and always a cursor', async () => {
    const event = append(gateway.organizationId, { previous: '{"caption":"One"}', requestId: 'req_1', actor: 'key:k' });
    append(newId());
    expect(await bodyOf(await gateway.call('/api/events'))).toEqual({
      items: [
        {
          ...{ id: event.id, type: 'post.created', timestamp: '1970-01-01T00:00:00.000Z', sequence: 1, business_id: null, revision: 0 },
          ...{ actor: 'key:k', request_id: 'req_1', data: JSON.parse(event.data) as object, previous: { caption: 'One' } },
        },
      ],
      next_cursor: '1',
      has_more: false,
    });
    expect(await bodyOf(await gateway.call('/api/events?cursor=1'))).toEqual({ items: [], next_cursor: '1', has_more: false });
    expect(await bodyOf(await gateway.call(`/api/events/${event.id}`))).toMatchObject({ id: event.id, sequence: 1 });
    await expectProblem(await gateway.call(`/api/events/${newId()}`), { status: 404, code: 'resource_not_found' });
  });

  test('passes filters on: patterns as types, seconds as milliseconds', async () => {
    const { businessId } = gateway;
    await gateway.call(`/api/events?cursor=latest&types=job.*,post.failed&business_id=${businessId.toUpperCase()}&limit=7&wait=0`);
    expect(lastRequest()).toMatchObject({
      isFromNow: true,
      types: ['job.completed', 'job.failed', 'post.failed'],
      businessId,
      limit: 7,
      waitMs: 0,
    });
    await gateway.call('/api/events?types=*,post.failed');
    expect(lastRequest()).toMatchObject({ types: [], after: undefined, limit: 100 });
  });

  test.each([
    ['cursor=-1', 'cursor'],
    ['cursor=1.5', 'cursor'],
    ['cursor=abc', 'cursor'],
    ['cursor=99', 'cursor'],
    ['types=post.unknown', 'types'],
    ['types=pos*', 'types'],
    ['types=', 'types'],
    ['wait=31', 'wait'],
    ['wait=1.5', 'wait'],
  ])('rejects %s and names the parameter', async (query, param) => {
    await expectProblem(await gateway.call(`/api/events?${query}`), { status: 400, code: 'invalid_request', param });
  });

  test('lists the possible types if one is unknown', async () => {
    const { detail } = await bodyOf(await gateway.call('/api/events?types=post.unknown'));
    expect(detail).toMatch(/"post\.unknown" is no event type, [^;]*; the types are post\.created, .*job\.failed/);
  });

  test('rejects a business of another organization', async () => {
    const foreign = await gateway.call(`/api/events?business_id=${gateway.foreignBusinessId}`);
    await expectProblem(foreign, { status: 403, code: 'permission_denied', param: 'business_id' });
    await expectProblem(await gateway.call(`/api/events?business_id=${newId()}`), { status: 404, code: 'resource_not_found' });
  });
});

describe('a stream of events', () => {
  /** Opens a stream, and reads it event by event. */
  async function open(path = '/api/events', { key, ...headers }: Record<string, string> = {}) {
    const response = await gateway.call(path, { headers: { accept: 'text/event-stream', ...headers }, ...(key !== undefined && { key }) });
    expect([response.status, response.headers.get('content-type'), response.headers.get('content-encoding')]).toEqual([
      200,
      'text/event-stream',
      null,
    ]);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const next = async (): Promise<Record<string, string> | undefined> => {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const lines = text.slice(0, end).split('\n');
          text = text.slice(end + 2);
          const fields = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
          if ('data' in fields) return fields;
        } else {
          const { done, value } = await reader.read();
          if (done) return undefined;
          text += value;
        }
      }
    };
    return { next, close: () => reader.cancel() };
  }

  test('begins with the next event, and sends each as it happens', async () => {
    append(gateway.organizationId);
    const stream = await open();
    const event = append(gateway.organizationId);
    const received = await stream.next();
    expect(received).toMatchObject({ id: String(event.sequence), event: 'post.created' });
    expect(JSON.parse(received?.['data'] ?? '')).toMatchObject({ id: event.id, data: { caption: 'Two\nlines' } });
    append(gateway.organizationId);
    expect(await stream.next()).toMatchObject({ id: String(event.sequence + 1) });
    await stream.close();
  });

  test('has its position before the first event, so that a client that reconnects misses nothing', async () => {
    const { sequence } = append(gateway.organizationId);
    const response = await gateway.call('/api/events', { headers: { accept: 'text/event-stream' } });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('id: ')) text += (await reader.read()).value ?? '';
    expect(text).toBe(`retry: 1000\n\nid: ${sequence}\n\n`);
    await reader.cancel();
  });

  test('resumes after Last-Event-ID, which replaces the cursor', async () => {
    const { sequence } = append(gateway.organizationId);
    append(gateway.organizationId);
    const stream = await open('/api/events?cursor=0', { 'last-event-id': String(sequence) });
    expect(await stream.next()).toMatchObject({ id: String(sequence + 1) });
    await stream.close();
  });

  test('rejects a bad cursor before it begins', async () => {
    const call = (path: string, id?: string) =>
      gateway.call(path, { headers: { accept: 'text/event-stream', ...(id !== undefined && { 'last-event-id': id }) } });
    await expectProblem(await call('/api/events?cursor=9999'), { status: 400, code: 'invalid_request', param: 'cursor' });
    await expectProblem(await call('/api/events', 'x'), { status: 400, code: 'invalid_request', param: 'Last-Event-ID' });
  });

  test('ends when its key is revoked', async () => {
    const made = (await bodyOf(await gateway.post('/api/keys', { name: 'stream' }))) as { id: string; secret: string };
    const stream = await open('/api/events', { key: made.secret });
    await gateway.call(`/api/keys/${made.id}`, { method: 'DELETE' });
    await eventually(async () => (await gateway.call('/api/me', { key: made.secret })).status === 401);
    append(gateway.organizationId);
    // Events that were read before may still come.
    for (let received = await stream.next(); received;) {
      append(gateway.organizationId);
      received = await stream.next();
    }
    expect(await stream.next()).toBeUndefined();
  });

  test('is one of 20 at most', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => open()));
    const rejected = await gateway.call('/api/events', { headers: { accept: 'text/event-stream' } });
    await expectProblem(rejected, { status: 429, code: 'rate_limit_exceeded' });
    await Promise.all(streams.map((stream) => stream.close()));
    await eventually(async () => {
      const response = await gateway.call('/api/events', { headers: { accept: 'text/event-stream' } });
      await response.body?.cancel();
      return response.status === 200;
    });
  });

  test('ends when the gateway stops', async () => {
    const stopping = await startGateway({ MONGODB_DATABASE: gateway.context.db.databaseName });
    const response = await stopping.call('/api/events', { headers: { accept: 'text/event-stream' } });
    const reading = response.text();
    await stopping.server.stop();
    expect(await reading).toContain('retry: 1000');
    await stopping.services.stop();
  });
});
