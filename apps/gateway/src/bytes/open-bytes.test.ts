import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo, type Server } from 'node:net';
import { openBytes } from './open-bytes.ts';

const alive = new AbortController().signal;
const open: Server[] = [];
afterEach(() => open.splice(0).forEach((server) => server.close()));

async function listen(server: Server): Promise<string> {
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A library that responds with these pieces, each sent after the previous one has left. */
const library = (pieces: readonly (string | Buffer)[], { ends = true } = {}) =>
  listen(
    net.createServer((socket) => {
      socket.on('error', () => undefined).setNoDelay();
      socket.once('data', () => {
        void (async () => {
          for (const piece of pieces) await new Promise((sent) => socket.write(piece, sent));
          if (ends) socket.end();
        })();
      });
    }),
  );

/** A gateway that only passes on the library's response. */
const gateway = (libraryUrl: string, failed: (error: unknown) => void = () => undefined) =>
  listen(
    http.createServer((request, response) => {
      openBytes(libraryUrl, { method: request.method as 'GET', path: request.url ?? '/', headers: {}, signal: alive })
        .then(async (bytes) => {
          response.writeHead(bytes.status, bytes.headers);
          await bytes.pipeTo(response);
        })
        .catch((error: unknown) => {
          failed(error);
          response.destroy();
        });
    }),
  );

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const headFor = (length: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`;

test('all bytes arrive in order, even if the reader pauses', async () => {
  const body = randomBytes(24 * 1024 * 1024);
  const url = await gateway(await library([headFor(body.length), body]));
  const [response] = (await once(http.get(url), 'response')) as [http.IncomingMessage];
  const hash = createHash('sha256');
  let sinceStop = 0;
  for await (const some of response as AsyncIterable<Buffer>) {
    hash.update(some);
    if ((sinceStop += some.length) > 2 ** 20) {
      sinceStop = 0;
      await new Promise(setImmediate);
    }
  }
  expect(hash.digest('hex')).toBe(sha256(body));
});

test.each([
  ['head in pieces', ['HTTP/1.1 200 OK\r\nCont', 'ent-Length: 5\r\n\r', '\nhello']],
  ['body together with the head', [`${headFor(5)}he`, 'llo']],
  ['more bytes than announced', [`${headFor(5)}hello, and then some`, 'and more']],
])('%s', async (_what, pieces) => {
  const response = await fetch(await gateway(await library(pieces)));
  expect(await response.text()).toBe('hello');
});

test('a body that ends early is an error, and is not taken for complete', async () => {
  const url = await gateway(await library([headFor(10), 'hello']));
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
});

test('responses without a body have none', async () => {
  const url = await gateway(await library(['HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n'], { ends: false }));
  const response = await fetch(url);
  expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([304, '"a"', '']);
  const head = await fetch(await gateway(await library([headFor(5)], { ends: false })), { method: 'HEAD' });
  expect([head.headers.get('content-length'), await head.text()]).toEqual(['5', '']);
});

test.each([
  ['does not speak HTTP', ['220 mail.example ESMTP\r\n\r\n']],
  ['sends an endless head', ['HTTP/1.1 200 OK\r\n', `x: ${'y'.repeat(64 * 1024)}`]],
  ['closes immediately', []],
])('a library that %s does not respond', async (_what, pieces) => {
  const promise = openBytes(await library(pieces), { method: 'GET', path: '/media/1', headers: {}, signal: alive });
  await expect(promise).rejects.toMatchObject({ code: 'internal_error' });
});

test('a path or a header cannot change the rest of the request', async () => {
  const url = await library([headFor(0)]);
  await expect(openBytes(url, { method: 'GET', path: '/media/1 HTTP/1.1\r\nx: y', headers: {}, signal: alive })).rejects.toMatchObject({
    code: 'resource_not_found',
  });
  await expect(openBytes(url, { method: 'GET', path: '/', headers: { range: 'a\r\nx: y' }, signal: alive })).rejects.toThrow(
    'Invalid character',
  );
});

test('if the client disconnects, the library stops sending', async () => {
  const ended = new Promise<void>((resolve) => {
    void listen(
      net.createServer((socket) => {
        socket.on('error', () => undefined).once('close', () => resolve());
        socket.once('data', () => socket.write(headFor(1e9)) && socket.write(Buffer.alloc(1e6)));
      }),
    ).then(async (url) => {
      const request = http.get(await gateway(url));
      request.on('error', () => undefined);
      request.once('response', (response: http.IncomingMessage) => response.once('data', () => request.destroy()));
    });
  });
  await ended;
});

test('no connection stays open if the client disconnects before the library responds', async () => {
  const disconnected = new AbortController();
  const closed = new Promise<void>((resolve) => {
    void listen(
      net.createServer((socket) => {
        socket.on('error', () => undefined).once('close', () => resolve());
        socket.once('data', () => disconnected.abort());
      }),
    ).then((url) => openBytes(url, { method: 'GET', path: '/media/1', headers: {}, signal: disconnected.signal }).catch(() => undefined));
  });
  await closed;
});
