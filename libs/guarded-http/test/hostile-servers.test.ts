import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createGuardedClient, type FetchOptions, type GuardedClientOptions } from '../src/index.ts';
import { aTcpServer, aWebServer, type AServer } from './a-server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The number of bytes received. */
async function fetched({ origin, stop }: AServer, options: Partial<FetchOptions> & GuardedClientOptions = {}): Promise<number> {
  const client = createGuardedClient({ allowedOrigins: [origin], ...options });
  closing.push(stop, () => client.close());
  return client.fetch(origin, { maxBytes: 1_000_000, timeoutMs: 20_000, ...options }, async ({ body }) => {
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.length;
    return bytes;
  });
}

const sending = (text: string | Buffer) => aTcpServer((socket) => void socket.once('data', () => socket.end(text)));

test.each([
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'bad_response'],
  ['endless headers', `HTTP/1.1 200 OK\r\n${'x-filler: 0123456789\r\n'.repeat(2000)}`, 'bad_response'],
  ['one large header', `HTTP/1.1 200 OK\r\nx-filler: ${'x'.repeat(40_000)}\r\n\r\n`, 'bad_response'],
  [
    'a length and chunks at once',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    'incomplete',
  ],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd', 'incomplete'],
  ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc', 'bad_response'],
  ['broken chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n', 'bad_response'],
  ['chunks without an end', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n', 'unreachable'],
  ['a body shorter than its length', 'HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\nabc', 'unreachable'],
  ['nothing', '', 'unreachable'],
])('a server that sends %s is rejected', async (_what, text, reason) => {
  await expect(fetched(await sending(text))).rejects.toMatchObject({ name: 'FetchError', reason });
});

test('a body longer than its length is cut there', async () => {
  expect(await fetched(await sending('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef'))).toBe(3);
});

test('a server that sends informational responses forever times out', async () => {
  const server = await aTcpServer((socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 10);
    socket.on('close', () => clearInterval(timer));
  });
  await expect(fetched(server, { timeoutMs: 300 })).rejects.toMatchObject({ name: 'FetchError' });
});

test('a dripping server is disconnected long before the time limit', async () => {
  const server = await aWebServer((_request, response) => {
    const timer = setInterval(() => response.write('x'), 10);
    response.on('close', () => clearInterval(timer));
  });
  await expect(fetched(server, { rateWindowMs: 200, timeoutMs: 600_000 })).rejects.toMatchObject({ reason: 'too_slow' });
});

test('a server that stops in the middle is disconnected as well', async () => {
  const server = await aWebServer((_request, response) => response.write(randomBytes(1000)));
  await expect(fetched(server, { rateWindowMs: 200, timeoutMs: 600_000 })).rejects.toMatchObject({ reason: 'too_slow' });
});

test('a slow reader does not count as a slow server', async () => {
  const server = await aWebServer((_request, response) => response.end(randomBytes(300_000)));
  const client = createGuardedClient({ allowedOrigins: [server.origin], rateWindowMs: 3_000 });
  closing.push(server.stop, () => client.close());
  const bytes = await client.fetch(server.origin, { maxBytes: 1_000_000, timeoutMs: 20_000 }, async ({ body }) => {
    let sum = 0;
    for await (const chunk of body) {
      // Once, for longer than the window.
      if (sum === 0) await new Promise((resolve) => setTimeout(resolve, 4_000));
      sum += chunk.length;
    }
    return sum;
  });
  expect(bytes).toBe(300_000);
});

describe('compression', () => {
  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('a %s bomb is aborted because of its ratio, long before the size limit', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(20_000_000));
    const server = await aWebServer((_request, response) => response.setHeader('content-encoding', encoding).end(bomb));
    await expect(fetched(server, { maxBytes: 1_000_000_000 })).rejects.toMatchObject({ reason: 'too_large' });
  });

  test('an ordinary compression ratio is accepted', async () => {
    const text = randomBytes(150_000).toString('hex').repeat(2);
    const server = await aWebServer((_request, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(text)));
    expect(await fetched(server)).toBe(text.length);
  });
});

test('an error of the reader is thrown unchanged, and closes the connection', async () => {
  const server = await aWebServer((_request, response) => response.write('x'));
  const client = createGuardedClient({ allowedOrigins: [server.origin] });
  closing.push(server.stop, () => client.close());
  const mine = new Error('the disk is full');
  await expect(client.fetch(server.origin, { maxBytes: 10, timeoutMs: 30_000 }, () => Promise.reject(mine))).rejects.toBe(mine);
});
