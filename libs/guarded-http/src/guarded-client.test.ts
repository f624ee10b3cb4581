import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { FetchError } from './fetch-error.ts';
import { createGuardedClient, type GuardedClient, type GuardedClientOptions } from './guarded-client.ts';

const closing: (() => Promise<unknown>)[] = [];
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'guarded-http-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(directory, { recursive: true });
});

/** A server on loopback that counts what reaches it. */
async function serve(listener: RequestListener): Promise<{ origin: string; port: number; hits: () => number; server: Server }> {
  let hits = 0;
  const server = createServer((request, response) => (hits++, listener(request, response)));
  server.on('connection', () => hits++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, hits: () => hits, server };
}

function client(options: GuardedClientOptions = {}): GuardedClient {
  const made = createGuardedClient(options);
  closing.push(() => made.close());
  return made;
}

const fetched = async (from: GuardedClient, url: string, limits: { maxBytes?: number; timeoutMs?: number; signal?: AbortSignal } = {}) => {
  const toFile = path.join(directory, 'body');
  const download = await from.download(url, { toFile, maxBytes: 1000, timeoutMs: 30_000, ...limits });
  return { ...download, body: (await readFile(toFile)).toString() };
};

/** The reason of the error. Fails if there is no error, or if a file is left behind. */
const rejection = async (...call: Parameters<typeof fetched>): Promise<string> => {
  const error = await fetched(...call).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(FetchError);
  expect(await readdir(directory)).toEqual([]);
  return (error as FetchError).reason;
};

describe('URLs that are never fetched', () => {
  test.each([
    ['not a url', 'bad_url'],
    ['http://', 'bad_url'],
    ['http://127.0.0.1:99999/', 'bad_url'],
    ['ftp://example.com/a.jpg', 'bad_scheme'],
    ['file:///etc/passwd', 'bad_scheme'],
    ['data:image/png;base64,AAAA', 'bad_scheme'],
    ['gopher://example.com/', 'bad_scheme'],
    ['http://user@example.com/', 'credentials_in_url'],
    ['http://user:secret@example.com/', 'credentials_in_url'],
    ['http://example.com:22/', 'port_not_allowed'],
    ['http://example.com:6379/', 'port_not_allowed'],
    ['https://example.com:27017/', 'port_not_allowed'],
    ['http://127.0.0.1/', 'address_not_public'],
    ['http://127.1/', 'address_not_public'],
    ['http://2130706433/', 'address_not_public'],
    ['http://0x7f000001/', 'address_not_public'],
    ['http://0x7f.1/', 'address_not_public'],
    ['http://0177.0.0.1/', 'address_not_public'],
    ['http://127.0.0.1./', 'address_not_public'],
    ['http://①②⑦.0.0.1/', 'address_not_public'],
    ['http://0.0.0.0/', 'address_not_public'],
    ['http://0/', 'address_not_public'],
    ['http://10.0.0.1:8080/', 'address_not_public'],
    ['http://172.16.0.1/', 'address_not_public'],
    ['http://192.168.0.1:8443/', 'address_not_public'],
    ['http://100.64.0.1/', 'address_not_public'],
    ['http://169.254.169.254/latest/meta-data/', 'address_not_public'],
    ['https://169.254.169.254/', 'address_not_public'],
    ['http://224.0.0.1/', 'address_not_public'],
    ['http://[::1]/', 'address_not_public'],
    ['http://[::]/', 'address_not_public'],
    ['http://[::ffff:127.0.0.1]/', 'address_not_public'],
    ['http://[::ffff:a9fe:a9fe]/', 'address_not_public'],
    ['http://[64:ff9b::7f00:1]/', 'address_not_public'],
    ['http://[fe80::1]/', 'address_not_public'],
    ['http://[fd00:ec2::254]/', 'address_not_public'],
    ['http://localhost/', 'address_not_public'],
  ])('%s → %s', async (url, reason) => {
    expect(await rejection(client(), url)).toBe(reason);
  });

  test('a proxy from the environment is not used', async () => {
    const proxy = await serve((_request, response) => response.end('by proxy'));
    const before = { ...process.env };
    Object.assign(process.env, { HTTP_PROXY: proxy.origin, http_proxy: proxy.origin, ALL_PROXY: proxy.origin, NODE_USE_ENV_PROXY: '1' });
    try {
      expect(await rejection(client(), 'http://10.0.0.1/')).toBe('address_not_public');
      expect(proxy.hits()).toBe(0);
    } finally {
      process.env = before;
    }
  });
});

describe('redirects', () => {
  test('are followed, and the final URL is returned', async () => {
    const { origin } = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end();
      else response.setHeader('content-type', 'image/png').end('here');
    });
    const download = await fetched(client({ allowedOrigins: [origin] }), `${origin}/a`);
    expect(download).toEqual({ finalUrl: `${origin}/b`, contentType: 'image/png', sizeBytes: 4, body: 'here' });
  });

  test.each([
    ['http://127.0.0.1/', 'address_not_public'],
    ['http://169.254.169.254/latest/meta-data/', 'address_not_public'],
    ['//[::1]/', 'address_not_public'],
    ['http://localhost/', 'address_not_public'],
    ['file:///etc/passwd', 'bad_scheme'],
    ['http://user:pw@example.com/', 'credentials_in_url'],
    ['http://127.0.0.1:6379/', 'port_not_allowed'],
    ['http://[', 'bad_url'],
  ])('to %s → %s', async (location, reason) => {
    const { origin } = await serve((_request, response) => response.writeHead(301, { location }).end());
    expect(await rejection(client({ allowedOrigins: [origin] }), origin)).toBe(reason);
  });

  test('five are followed, six are not', async () => {
    const { origin } = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(307, { location: `/${left - 1}` }).end();
      else response.end('end');
    });
    const guarded = client({ allowedOrigins: [origin] });
    expect(await rejection(guarded, `${origin}/6`)).toBe('too_many_redirects');
    expect((await fetched(guarded, `${origin}/5`)).body).toBe('end');
  });
});

describe('limits', () => {
  const endless: RequestListener = (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
    };
    response.on('drain', more);
    more();
  };

  test('an endless body is aborted at the limit', async () => {
    const { origin } = await serve(endless);
    expect(await rejection(client({ allowedOrigins: [origin] }), origin, { maxBytes: 100_000 })).toBe('too_large');
  });

  test('a body of exactly the limit is accepted, one byte more is not', async () => {
    const { origin } = await serve((request, response) =>
      response.writeHead(200, { 'transfer-encoding': 'chunked' }).end('x'.repeat(Number(request.url?.slice(1)))),
    );
    const guarded = client({ allowedOrigins: [origin] });
    expect(await rejection(guarded, `${origin}/1001`)).toBe('too_large');
    expect((await fetched(guarded, `${origin}/1000`)).sizeBytes).toBe(1000);
  });

  test.each(['5000000000', '9999999999999999'])(
    'a Content-Length over the limit is rejected before the body is read: %s',
    async (length) => {
      const { origin } = await serve((_request, response) => {
        response.socket?.write(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\nx`);
      });
      expect(await rejection(client({ allowedOrigins: [origin] }), origin)).toBe('too_large');
    },
  );

  test('a body shorter than its Content-Length is rejected', async () => {
    const { origin } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x');
      setImmediate(() => response.socket?.end());
    });
    expect(['incomplete', 'unreachable']).toContain(await rejection(client({ allowedOrigins: [origin] }), origin));
  });

  test.each([
    ['silent', 'no_response', 200],
    // Enough time for the headers to arrive on a busy machine.
    ['dripping', 'timeout', 2_000],
    ['endless redirect body', 'timeout', 2_000],
  ])('a request to a %s server times out: %s', async (kind, reason, timeoutMs) => {
    const { origin } = await serve((request, response) => {
      if (kind === 'silent') return;
      if (kind === 'dripping' || request.url === '/next') response.write('x');
      else response.writeHead(302, { location: '/next' }).write('x');
      const timer = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(timer));
    });
    expect(await rejection(client({ allowedOrigins: [origin] }), origin, { timeoutMs })).toBe(reason);
  });

  test('a gzip bomb is aborted at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const { origin } = await serve((_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
    expect(await rejection(client({ allowedOrigins: [origin] }), origin, { maxBytes: 100_000 })).toBe('too_large');
  });

  test('send returns any response within the limit and does not follow redirects', async () => {
    const { origin } = await serve((request, response) => {
      if (request.url === '/moved') return response.writeHead(302, { location: '/large' }).end();
      request.pipe(response.writeHead(request.url === '/large' ? 200 : 400, { 'x-of': request.method }), { end: false });
      request.once('end', () => response.end(request.url === '/large' ? 'x'.repeat(2000) : '!'));
    });
    const guarded = client({ allowedOrigins: [origin] });
    const sent = { method: 'POST', body: 'a=b', maxBytes: 1000, timeoutMs: 30_000 } as const;
    const { status, headers, body } = await guarded.send(`${origin}/`, sent);
    expect([status, headers['x-of'], body.toString()]).toEqual([400, 'POST', 'a=b!']);
    expect(await guarded.send(`${origin}/moved`, sent)).toMatchObject({ status: 302, headers: { location: '/large' } });
    await expect(guarded.send(`${origin}/large`, sent)).rejects.toMatchObject({ reason: 'too_large' });
    await expect(client().send(origin, sent)).rejects.toMatchObject({ reason: 'port_not_allowed' });
  });

  test('gzip within the limit is decoded; broken or unknown encodings are rejected', async () => {
    const { origin } = await serve((request, response) => {
      const encodings: Readonly<Record<string, string>> = { '/stacked': 'gzip, gzip', '/constructor': 'constructor' };
      response.setHeader('content-encoding', encodings[request.url ?? ''] ?? 'gzip');
      response.end(request.url === '/broken' ? 'no gzip' : gzipSync('plain'));
    });
    const guarded = client({ allowedOrigins: [origin] });
    expect(await rejection(guarded, `${origin}/broken`)).toBe('bad_encoding');
    expect(await rejection(guarded, `${origin}/stacked`)).toBe('bad_encoding');
    expect(await rejection(guarded, `${origin}/constructor`)).toBe('bad_encoding');
    expect((await fetched(guarded, `${origin}/`)).body).toBe('plain');
  });

  test('the caller can abort', async () => {
    const { origin } = await serve(() => undefined);
    const guarded = client({ allowedOrigins: [origin] });
    await expect(fetched(guarded, origin, { signal: AbortSignal.abort(new Error('aborted')) })).rejects.toThrow('aborted');
  });
});

test.each([404, 500, 204, 206])('status %d is the reason of the error', async (status) => {
  const { origin } = await serve((_request, response) => response.writeHead(status).end());
  expect(await rejection(client({ allowedOrigins: [origin] }), origin)).toBe(`status_${status}`);
});

test('an unknown host and a closed port have different reasons', async () => {
  const notFound: LookupFunction = (_host, _options, callback) =>
    callback(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }), []);
  expect(await rejection(client({ lookup: notFound }), 'http://nowhere.test/')).toBe('host_not_found');
  const { origin, server } = await serve(() => undefined);
  await new Promise((resolve) => server.close(resolve));
  expect(await rejection(client({ allowedOrigins: [origin] }), origin)).toBe('unreachable');
});

test('no cookie and no referrer is sent with the next request', async () => {
  const seen: unknown[] = [];
  const { origin } = await serve((request, response) => {
    seen.push(request.headers);
    if (request.url === '/a') response.writeHead(302, { location: '/b', 'set-cookie': 'id=1' }).end();
    else response.end('ok');
  });
  await fetched(client({ allowedOrigins: [origin] }), `${origin}/a`);
  expect(seen).toHaveLength(2);
  for (const headers of seen) {
    expect(headers).toMatchObject({ 'user-agent': expect.stringContaining('Fanfare') });
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('referer');
  }
});

test('an allowed origin does not allow other ports of its host', async () => {
  const [allowed, other] = [
    await serve((_request, response) => response.end('ok')),
    await serve((_request, response) => response.end('secret')),
  ];
  const guarded = client({ allowedOrigins: [allowed.origin] });
  expect(await rejection(guarded, other.origin)).toBe('port_not_allowed');
  expect(other.hits()).toBe(0);
  expect((await fetched(guarded, allowed.origin)).body).toBe('ok');
});
