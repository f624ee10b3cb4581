import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { ERROR_TABLE } from '@fanfare/errors';
import { newId } from '@fanfare/runtime';
import { aBusiness } from '../values.ts';
import { BASE_URL, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

const CONSOLE_URL = 'https://app.example.com';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ CONSOLE_URL });
});
afterAll(() => gateway.stop());

describe('every response', () => {
  it('has a request id of its own and returns the flow id', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => gateway.call('/api/businesses', { headers: { 'x-flow-id': 'order-17' } })));
    expect(one?.headers.get('x-request-id')).toMatch(/^req_[0-9a-f-]{36}$/);
    expect(one?.headers.get('x-request-id')).not.toBe(two?.headers.get('x-request-id'));
    expect([one, two].map((response) => response?.headers.get('x-flow-id'))).toEqual(['order-17', 'order-17']);
    const spaced = await gateway.call('/api/businesses', { headers: { 'x-flow-id': 'two words' } });
    expect(spaced.headers.get('x-flow-id')).toBe('two words');
  });

  it.each(['x'.repeat(257), 'gr\u00fc\u00dfe', ''])('creates a new flow id instead of %j', async (given) => {
    const response = await gateway.call('/api/nowhere', { headers: { 'x-flow-id': given } });
    expect(response.headers.get('x-flow-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['2026-08-06', '2026-08-06'],
    ['2026-07-17', '2026-07-17'],
    ['2026-04-08', '2026-04-08'],
    ['2027-01-01', '2026-04-08'],
    ['latest', '2026-04-08'],
  ])('serves version %s as %s, errors too', async (requested, served) => {
    for (const path of ['/api/businesses', '/api/nowhere', '/api/openapi.json', '/errors/missing_field']) {
      expect((await gateway.call(path, { headers: { 'service-version': requested } })).headers.get('service-version')).toBe(served);
    }
  });

  it('passes ids and the actor on to the service', async () => {
    const response = await gateway.call('/api/businesses', { headers: { 'x-flow-id': 'order-18' } });
    expect(gateway.services.calls.at(-1)).toMatchObject({
      method: 'listBusinesses',
      metadata: {
        organizationId: gateway.organizationId,
        businessId: '',
        actor: expect.stringMatching(/^key:[0-9a-f-]{36}$/),
        requestId: response.headers.get('x-request-id'),
        flowId: 'order-18',
      },
    });
  });

  it.each([
    ...['/api/businesses', '/api/nowhere', '/api/openapi.json', '/docs', '/errors', '/errors/missing_field', '/media/nothing'],
    '/api/businesses/%zz/posts',
  ])('has rate limit headers: %s', async (path) => {
    const { headers } = await gateway.call(path);
    for (const name of ['limit', 'remaining', 'reset']) {
      expect(headers.get(`ratelimit-${name}`)).toMatch(/^\d+$/);
      expect(headers.get(`x-ratelimit-${name}`)).toBe(headers.get(`ratelimit-${name}`));
    }
  });

  it.each([
    '/api/businesses',
    '/api/nowhere',
    '/api/openapi.json',
    '/docs',
    '/docs/start.js',
    '/errors',
    '/media/nothing',
    '/media/aaa/bbb',
  ])('has security headers for content types and HTTPS: %s', async (path) => {
    const { headers } = await gateway.call(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it('does not reveal the software', async () => {
    const { headers } = await gateway.call('/api/businesses');
    expect([headers.get('x-powered-by'), headers.get('server'), headers.get('etag')]).toEqual([null, null, null]);
  });
});

describe('errors', () => {
  it.each(['/nowhere', '/api', '/api/nowhere', '/api/businesses/x/y/z', '/API/businesses', '/errors/nonsense', '/errors/toString'])(
    'include 404 for %s',
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
    const response = await gateway.call('/api/nowhere', { headers: { accept } });
    const body = (await response.json()) as { error?: object; code?: string };
    expect(response.headers.get('content-type')).toBe(enveloped ? 'application/json' : 'application/problem+json');
    expect(enveloped ? body.error : body).toMatchObject({ code: 'resource_not_found', request_id: response.headers.get('x-request-id') });
    expect(response.headers.get('vary')?.split(', ')).toEqual(expect.arrayContaining(['Accept', 'Origin']));
  });

  it('report an announced body that is missing as empty', async () => {
    const response = await gateway.call('/api/businesses', { method: 'POST', headers: { 'content-type': 'application/json' } });
    const problem = await expectProblem(response, { status: 400, code: 'invalid_request' });
    expect(problem['detail']).toContain('The body is empty');
  });

  it('reveal nothing internal', async () => {
    gateway.services.failures.set('listBusinesses', new Error('mongodb://root:secret@db'));
    const problem = await expectProblem(await gateway.call('/api/businesses'), { status: 500, code: 'internal_error' });
    expect(JSON.stringify(problem)).not.toMatch(/mongo|secret|content|service|grpc/i);
  });

  it('have a page with an explanation, and a list of these pages', async () => {
    const index = await (await gateway.call('/errors', { key: null })).text();
    for (const [code, { httpStatus, title }] of Object.entries(ERROR_TABLE)) {
      const response = await gateway.call(`/errors/${code}`, { key: null });
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(index).toContain(`href="errors/${code}"`);
      const page = await response.text();
      expect(page).toContain('&quot;request_id&quot;');
      for (const part of [code, title, String(httpStatus), `${BASE_URL}/errors/${code}`]) expect(page).toContain(part);
    }
  });
});

describe('the API description', () => {
  it('is served without a credential, with the public URL', async () => {
    const response = await gateway.call('/api/openapi.json', { key: null });
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: BASE_URL }],
      paths: { '/api/businesses': { get: { operationId: 'list_businesses' } } },
    });
    expect(text).not.toContain('127.0.0.1');
  });

  it('is sent again only if it has changed', async () => {
    const { headers } = await gateway.call('/api/openapi.json', { key: null });
    expect(headers.get('cache-control')).toMatch(/^public/);
    const again = await gateway.call('/api/openapi.json', { key: null, headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

describe('the docs page', () => {
  it('requests nothing from other hosts', async () => {
    const response = await gateway.call('/docs', { key: null });
    const page = await response.text();
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`connect-src 'self' ${BASE_URL}`);
    expect(policy.replaceAll(BASE_URL, '')).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe/);
    const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(addresses.filter((address) => /^(?:\w+:)?\/\//.test(address))).toEqual([]);
    for (const address of addresses.filter((one) => !one.startsWith('data:'))) {
      expect((await gateway.call(`/${address}`, { key: null })).status).toBe(200);
    }
  });

  it('serves its scripts with and without gzip', async () => {
    const [plain, gzipped] = await Promise.all(
      ['identity', 'gzip'].map((encoding) => gateway.call('/docs/scalar.js', { key: null, headers: { 'accept-encoding': encoding } })),
    );
    expect([plain?.headers.get('content-encoding'), gzipped?.headers.get('content-encoding')]).toEqual([null, 'gzip']);
    const script = await plain?.text();
    expect(script).toContain('createApiReference');
    expect(await gzipped?.text()).toBe(script);
    // The client library that it shows must be in the API description.
    expect(script).toContain('x-scalar-sdk-installation');
  });
});

describe('a response', () => {
  const get = async (path: string, encoding: string) => {
    const response = await gateway.call(path, { headers: { 'accept-encoding': encoding } });
    return { encoding: response.headers.get('content-encoding'), vary: response.headers.get('vary'), text: await response.text() };
  };

  it('is compressed if it is large and the client accepts that', async () => {
    for (let count = 0; count < 10; count += 1) {
      const id = newId();
      gateway.services.businesses.set(id, aBusiness({ id, organizationId: gateway.organizationId }));
    }
    const [plain, gzipped] = [await get('/api/businesses', 'identity'), await get('/api/businesses', 'gzip')];
    expect([plain.encoding, gzipped.encoding]).toEqual([null, 'gzip']);
    expect(plain.text.length).toBeGreaterThan(1024);
    expect(gzipped.text).toBe(plain.text);
    expect(gzipped.vary).toContain('Accept-Encoding');
    expect((await get('/api/businesses?limit=1', 'gzip')).encoding).toBeNull();
  });
});

describe('a browser', () => {
  const preflight = (origin: string, path = '/api/businesses') =>
    gateway.call(path, {
      key: null,
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization,if-match' },
    });

  it('is permitted for the web app, without cookies, and can read the headers', async () => {
    const preflightResponse = await preflight(CONSOLE_URL);
    expect(preflightResponse.status).toBe(204);
    expect(preflightResponse.headers.get('access-control-allow-origin')).toBe(CONSOLE_URL);
    expect(preflightResponse.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(preflightResponse.headers.get('access-control-allow-headers')).toMatch(/Authorization.*If-Match/);
    expect(preflightResponse.headers.get('access-control-allow-credentials')).toBeNull();
    expect(preflightResponse.headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
    // It costs nothing. In a new minute there is more left.
    const remaining = ({ headers }: Response) => Number(headers.get('ratelimit-remaining'));
    expect(remaining(await preflight(CONSOLE_URL))).toBeGreaterThanOrEqual(remaining(preflightResponse));

    for (const path of ['/api/businesses', '/api/nowhere']) {
      const response = await gateway.call(path, { headers: { origin: CONSOLE_URL } });
      expect(response.headers.get('access-control-allow-origin')).toBe(CONSOLE_URL);
      expect(response.headers.get('vary')).toContain('Origin');
      const exposed = (response.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(',');
      expect(exposed).toEqual(expect.arrayContaining(['etag', 'location', 'retry-after', 'x-request-id', 'ratelimit-remaining']));
    }
  });

  it.each(['https://evil.example', 'is rejected for the origin %s', 'null'])('on %s is not', async (origin) => {
    expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBeNull();
    const response = await gateway.call('/api/businesses', { headers: { origin } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('vary')).toContain('Origin');
  });
});

describe('a request that Node would respond to itself', () => {
  const send = async (...lines: string[]) => {
    const socket = connect(gateway.server.httpPort, '127.0.0.1');
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    return { head, problem: JSON.parse(body) as Record<string, unknown> };
  };
  const host = 'Host: api.example.com';
  const close = 'Connection: close';

  it.each([
    ['is none', ['NONSENSE'], 400],
    ['has too large headers', ['GET /api/businesses HTTP/1.1', host, `X-Large: ${'x'.repeat(20_000)}`], 400],
    ['has an invalid header', ['GET / HTTP/1.1', host, 'bad header: x'], 400],
    ['has two lengths', ['POST /api/businesses HTTP/1.1', host, 'Content-Length: 1', 'Transfer-Encoding: chunked'], 400],
    ['has an unknown transfer encoding', ['POST /api/businesses HTTP/1.1', host, 'Transfer-Encoding: nonsense'], 400],
    ['has no Host header', ['GET /api/businesses HTTP/1.1', close], 400],
    ['has two Host headers', ['GET /api/businesses HTTP/1.1', host, 'HOST: evil.example', close], 400],
    ['has the same Host header twice', ['GET /docs HTTP/1.0', host, host, close], 400],
    ['has an unknown expectation', ['GET /api/businesses HTTP/1.1', host, close, 'Expect: a-miracle'], 401],
    ['requests an upgrade', ['GET /api/businesses HTTP/1.1', host, 'Connection: Upgrade, close', 'Upgrade: websocket'], 401],
    ['uses CONNECT', ['CONNECT evil.example:443 HTTP/1.1', host], 405],
    ['uses TRACE', ['TRACE /api/businesses HTTP/1.1', host, close], 405],
    ['is OPTIONS *', ['OPTIONS * HTTP/1.1', host, close], 404],
    ['has an absolute URL, as for a proxy', ['GET http://evil.example/api/businesses?limit=1 HTTP/1.1', host, close], 401],
  ])('gets a problem if it %s', async (_name, lines, status) => {
    const { head, problem } = await send(...lines);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*content-type: application/problem\\+json`, 'i'));
    for (const header of ['x-request-id', 'x-flow-id', 'service-version', 'x-content-type-options', 'strict-transport-security'])
      expect(head.toLowerCase()).toContain(`\r\n${header}: `);
    expect(problem).toMatchObject({ status, request_id: expect.stringMatching(/^req_/) });
    expect(problem['instance']).toMatch(/^[/*]/);
  });

  it('has rate limit headers, however invalid it is', async () => {
    const { head } = await send('GET /api/businesses HTTP/1.1', close);
    expect(head).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nratelimit-remaining: \d/i);
  });

  it('returns its own URL if it has an absolute one', async () => {
    const lines = ['GET http://evil.example/api/businesses?limit=1 HTTP/1.1', host, close, `Authorization: Bearer ${gateway.apiKey}`];
    const { problem: page } = await send(...lines, 'Service-Version: 2026-08-06');
    expect(page['self']).toBe(`${BASE_URL}/api/businesses?limit=1`);
  });
});

it.each(['/', '/docs', '/errors', '/errors/invalid_value', '/api/openapi.json'])(
  '%s lists its methods in the response to another method',
  async (path) => {
    const response = await gateway.call(path, { method: 'POST', key: null });
    await expectProblem(response, { status: 405, code: 'method_not_allowed' });
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  },
);
