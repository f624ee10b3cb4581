import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { ERROR_TABLE } from '@fanfare/errors';
import { BASE_URL, expectProblem, startGateway, type RunningGateway } from './running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

describe('every answer', () => {
  it('carries a request id of its own and echoes the flow id', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => gateway.call('/api/businesses', { headers: { 'x-flow-id': 'order-17' } })));
    expect(one?.headers.get('x-request-id')).toMatch(/^req_[0-9a-f-]{36}$/);
    expect(one?.headers.get('x-request-id')).not.toBe(two?.headers.get('x-request-id'));
    expect([one, two].map((answer) => answer?.headers.get('x-flow-id'))).toEqual(['order-17', 'order-17']);
  });

  it.each(['x'.repeat(129), 'two words', 'gr\u00fc\u00dfe', ''])('makes a new flow id instead of %j', async (given) => {
    const answer = await gateway.call('/api/nowhere', { headers: { 'x-flow-id': given } });
    expect(answer.headers.get('x-flow-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['2026-08-06', '2026-08-06'],
    ['2026-07-17', '2026-07-17'],
    ['2026-04-08', '2026-04-08'],
    ['2027-01-01', '2026-04-08'],
    ['latest', '2026-04-08'],
  ])('serves version %s as %s, errors too', async (asked, served) => {
    for (const path of ['/api/businesses', '/api/nowhere', '/api/openapi.json', '/errors/missing_field']) {
      expect((await gateway.call(path, { headers: { 'service-version': asked } })).headers.get('service-version')).toBe(served);
    }
  });

  it('passes ids and the actor on to the service', async () => {
    const answer = await gateway.call('/api/businesses', { headers: { 'x-flow-id': 'order-18' } });
    expect(gateway.services.calls.at(-1)).toMatchObject({
      method: 'listBusinesses',
      metadata: {
        organizationId: gateway.organizationId,
        businessId: '',
        actor: expect.stringMatching(/^key:[0-9a-f-]{36}$/),
        requestId: answer.headers.get('x-request-id'),
        flowId: 'order-18',
      },
    });
  });

  it('tells nothing of what it is made of', async () => {
    const { headers } = await gateway.call('/api/businesses');
    expect([headers.get('x-powered-by'), headers.get('server'), headers.get('etag')]).toEqual([null, null, null]);
  });
});

describe('errors', () => {
  it.each(['/', '/api', '/api/nowhere', '/api/businesses/x/y/z', '/API/businesses', '/errors/nonsense', '/errors/toString'])(
    'does not know %s',
    async (path) => {
      await expectProblem(await gateway.call(path, { key: null }), { status: 404, code: 'resource_not_found' });
    },
  );

  it('are problems for a path that cannot be decoded', async () => {
    await expectProblem(await gateway.call('/api/businesses/%zz/posts'), { status: 400, code: 'invalid_value' });
  });

  it.each([
    ['application/json', true],
    ['application/json, text/plain, */*', true],
    ['application/problem+json, application/json', false],
    ['*/*', false],
    ['text/html', false],
  ])('for Accept %s: envelope %s', async (accept, enveloped) => {
    const answer = await gateway.call('/api/nowhere', { headers: { accept } });
    const body = (await answer.json()) as { error?: object; code?: string };
    expect(answer.headers.get('content-type')).toBe(enveloped ? 'application/json' : 'application/problem+json');
    expect(enveloped ? body.error : body).toMatchObject({ code: 'resource_not_found', request_id: answer.headers.get('x-request-id') });
    expect(answer.headers.get('vary')).toBe('Accept');
  });

  it('say nothing of the inside', async () => {
    gateway.services.failures.set('listBusinesses', new Error('mongodb://root:secret@db'));
    const problem = await expectProblem(await gateway.call('/api/businesses'), { status: 500, code: 'internal_error' });
    expect(JSON.stringify(problem)).not.toMatch(/mongo|secret|content|service|grpc/i);
  });

  it('answer in JSON what is no HTTP', async () => {
    const socket = connect(gateway.server.httpPort, '127.0.0.1');
    socket.end('NONSENSE\r\n\r\n');
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 [\s\S]*X-Request-Id: req_/);
    expect(JSON.parse(body)).toMatchObject({ code: 'invalid_request', status: 400 });
  });

  it('have a page that explains them, for people', async () => {
    for (const [code, { httpStatus, title }] of Object.entries(ERROR_TABLE)) {
      const answer = await gateway.call(`/errors/${code}`, { key: null });
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
      const page = await answer.text();
      for (const part of [code, title, String(httpStatus), `${BASE_URL}/errors/${code}`]) expect(page).toContain(part);
    }
  });
});

describe('the description', () => {
  it('is served without a credential', async () => {
    const answer = await gateway.call('/api/openapi.json', { key: null });
    expect(await answer.json()).toMatchObject({
      openapi: '3.1.0',
      paths: { '/api/businesses': { get: { operationId: 'list_businesses' } } },
    });
  });
});
