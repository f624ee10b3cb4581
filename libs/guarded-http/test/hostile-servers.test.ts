import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createGuardedClient, type FetchOptions, type GuardedClientOptions } from '../src/index.ts';
import { aTcpServer, aWebServer, type AServer } from './a-server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** How many bytes came, or the error. */
async function fetched({ origin, stop }: AServer, options: Partial<FetchOptions> & GuardedClientOptions = {}): Promise<number> {
  const client = createGuardedClient({ allowedOrigins: [origin], ...options });
  closing.push(stop, () => client.close());
  return client.fetch(origin, { maxBytes: 1_000_000, timeoutMs: 20_000, ...options }, async ({ body }) => {
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.length;
    return bytes;
  });
}

const says = (text: string | Buffer) => aTcpServer((socket) => void socket.once('data', () => socket.end(text)));

test.each([
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'bad_answer'],
  ['endless headers', `HTTP/1.1 200 OK\r\n${'x-filler: 0123456789\r\n'.repeat(2000)}`, 'bad_answer'],
  ['one large header', `HTTP/1.1 200 OK\r\nx-filler: ${'x'.repeat(40_000)}\r\n\r\n`, 'bad_answer'],
  [
    'a length and chunks at once',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    'incomplete',
  ],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd', 'incomplete'],
  ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc', 'bad_answer'],
  ['broken chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n', 'bad_answer'],
  ['chunks without an end', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n', 'unreachable'],
  ['a shorter body than its length', 'HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\nabc', 'unreachable'],
  ['nothing', '', 'unreachable'],
])('a server that says %s → refused', async (_what, text, reason) => {
  await expect(fetched(await says(text))).rejects.toMatchObject({ name: 'FetchRefused', reason });
});

test('a body that is longer than its length is cut there', async () => {
  expect(await fetched(await says('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef'))).toBe(3);
});

test('a server that sends informational answers for ever runs into the time limit', async () => {
  const server = await aTcpServer((socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 10);
    socket.on('close', () => clearInterval(timer));
  });
  await expect(fetched(server, { timeoutMs: 300 })).rejects.toMatchObject({ name: 'FetchRefused' });
});

test('a dripping server is cut long before the time limit', async () => {
  const server = await aWebServer((_request, response) => {
    const timer = setInterval(() => response.write('x'), 10);
    response.on('close', () => clearInterval(timer));
  });
  await expect(fetched(server, { rateWindowMs: 200, timeoutMs: 600_000 })).rejects.toMatchObject({ reason: 'too_slow' });
});

test('a server that stops in the middle is cut likewise', async () => {
  const server = await aWebServer((_request, response) => response.write(randomBytes(1000)));
  await expect(fetched(server, { rateWindowMs: 200, timeoutMs: 600_000 })).rejects.toMatchObject({ reason: 'too_slow' });
});

test('a reader that takes its time is not the server’s fault', async () => {
  const server = await aWebServer((_request, response) => response.end(randomBytes(300_000)));
  const client = createGuardedClient({ allowedOrigins: [server.origin], rateWindowMs: 50 });
  closing.push(server.stop, () => client.close());
  const bytes = await client.fetch(server.origin, { maxBytes: 1_000_000, timeoutMs: 20_000 }, async ({ body }) => {
    let sum = 0;
    for await (const chunk of body) {
      sum += chunk.length;
      await new Promise((resolve) => setTimeout(resolve, 70));
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
  ])('a %s bomb ends by what it grows to, long before the size limit', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(20_000_000));
    const server = await aWebServer((_request, response) => response.setHeader('content-encoding', encoding).end(bomb));
    await expect(fetched(server, { maxBytes: 1_000_000_000 })).rejects.toMatchObject({ reason: 'too_large' });
  });

  test('what grows as honest things do is taken', async () => {
    const text = randomBytes(150_000).toString('hex').repeat(2);
    const server = await aWebServer((_request, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(text)));
    expect(await fetched(server)).toBe(text.length);
  });
});

test('an error of whoever reads is thrown as it is, and ends the connection', async () => {
  const server = await aWebServer((_request, response) => response.write('x'));
  const client = createGuardedClient({ allowedOrigins: [server.origin] });
  closing.push(server.stop, () => client.close());
  const mine = new Error('the disk is full');
  await expect(client.fetch(server.origin, { maxBytes: 10, timeoutMs: 5000 }, () => Promise.reject(mine))).rejects.toBe(mine);
});
