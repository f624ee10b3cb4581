import type { RequestListener } from 'node:http';
import { createGuardedClient, type BegunResponse } from '../src/index.ts';
import { aTcpServer, aWebServer, type AServer } from './a-server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function begun({ origin, stop }: AServer, more: { timeoutMs?: number; bodyMs?: number } = {}): Promise<BegunResponse> {
  const client = createGuardedClient({ allowedOrigins: [origin] });
  closing.push(stop, () => client.close());
  return client.begin(origin, { method: 'POST', body: '{}', maxBytes: 10, timeoutMs: 30_000, bodyMs: 30_000, ...more });
}
const serving = (listener: RequestListener) => aWebServer(listener);

test('the beginning of a response is returned, whatever its status', async () => {
  const response = await begun(await serving((_request, response) => response.writeHead(503, { 'x-own': 'yes' }).end('sorry')));
  expect(response).toMatchObject({ status: 503, headers: { 'x-own': 'yes' }, body: Buffer.from('sorry'), isCut: false });
});

test('a body without end is cut, and the connection is closed', async () => {
  const closed = Promise.withResolvers<void>();
  const server = await serving((_request, response) => {
    response.on('close', closed.resolve);
    const timer = setInterval(() => response.write('x'.repeat(1_000)), 1);
    response.on('close', () => clearInterval(timer));
  });
  expect(await begun(server)).toMatchObject({ status: 200, body: Buffer.from('x'.repeat(10)), isCut: true });
  await closed.promise;
});

test('a slow body is cut when its time is over', async () => {
  const server = await serving((_request, response) => void response.writeHead(200).write('abc'));
  expect(await begun(server, { bodyMs: 3_000 })).toMatchObject({ status: 200, body: Buffer.from('abc'), isCut: true });
});

test('a body that breaks is cut', async () => {
  const server = await aTcpServer((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n')).on('error', () => undefined),
  );
  expect(await begun(server)).toMatchObject({ status: 204, isCut: false });
  const broken = await aTcpServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc')));
  expect(await begun(broken)).toMatchObject({ status: 200, body: Buffer.from('abc'), isCut: true });
});

test('a server that responds before it has read the request has responded', async () => {
  const server = await aTcpServer((socket) => void socket.end('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n'));
  expect(await begun(server)).toMatchObject({ status: 202 });
});

test('a redirect is a response, and is not followed', async () => {
  const server = await serving((_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end());
  expect(await begun(server)).toMatchObject({ status: 302 });
});

test('a server that does not respond fails when its time is over', async () => {
  await expect(begun(await serving(() => undefined), { timeoutMs: 3_000 })).rejects.toMatchObject({ reason: 'no_response' });
});
