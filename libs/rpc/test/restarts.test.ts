import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { ContentServiceService } from '@fanfare/contracts/content';
import { eventually, startTcpProxy } from '@fanfare/testing';
import { aCall, contentClient, runContent } from './running-content.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const response = (nextPageToken: string) => ({ businesses: [], nextPageToken });

test('a server that is stopped during a call finishes it and accepts no other', async () => {
  let finish: (() => void) | undefined;
  const server = await runContent({
    listBusinesses: ({ name }) => new Promise((resolve) => (finish = () => resolve(response(name)))),
  });
  const [first, second] = [contentClient(server.port), contentClient(server.port)];
  closing.push(first.close, second.close);

  const running = first.client.listBusinesses({ name: 'running', pageSize: 1, pageToken: '', organizationIds: [] }, { call: aCall() });
  const finishIt = await eventually(() => finish);
  let hasStopped = false;
  const stopped = server.stop().then(() => (hasStopped = true));
  await expect(
    second.client.listBusinesses({ name: 'late', pageSize: 1, pageToken: '', organizationIds: [] }, { call: aCall() }),
  ).rejects.toMatchObject({
    code: 'internal_error',
  });
  expect(hasStopped).toBe(false);
  finishIt();
  expect((await running).nextPageToken).toBe('running');
  await stopped;
});

test('a short restart of the server is not noticed', async () => {
  const first = await runContent({ listBusinesses: async ({ name }) => response(name) });
  const { port } = first;
  const proxy = await startTcpProxy(port);
  const { client, close } = contentClient(proxy.port);
  closing.push(proxy.close, close);
  await client.listBusinesses({ name: 'before', pageSize: 1, pageToken: '', organizationIds: [] }, { call: aCall() });

  proxy.disconnect();
  await first.stop();
  const before = proxy.connectionAttempts();
  const during = client.listBusinesses({ name: 'during', pageSize: 1, pageToken: '', organizationIds: [] }, { call: aCall() });
  await eventually(() => proxy.connectionAttempts() >= before + 2);
  const second = await runContent({ listBusinesses: async ({ name }) => response(name) }, { port });
  closing.push(second.stop);
  proxy.open();
  expect((await during).nextPageToken).toBe('during');
});

test('a call whose connection breaks before the response is retried', async () => {
  let calls = 0;
  const server = await runContent({
    // The first call gets no response.
    listBusinesses: ({ name }) => (++calls === 1 ? new Promise(() => undefined) : Promise.resolve(response(name))),
  });
  const proxy = await startTcpProxy(server.port);
  const { client, close } = contentClient(proxy.port);
  closing.push(server.stop, proxy.close, close);
  const call = client.listBusinesses({ name: 'cut', pageSize: 1, pageToken: '', organizationIds: [] }, { call: aCall() });
  await eventually(() => calls === 1);
  proxy.disconnect();
  proxy.open();
  expect((await call).nextPageToken).toBe('cut');
  expect(calls).toBe(2);
});

/** Ends the streams of the first calls without a status, and responds to the others. */
async function aServerThatBreaksOff(calls: number): Promise<{ port: number; seen: () => number }> {
  let seen = 0;
  const server = createServer();
  server.on('stream', (stream) => {
    const isBroken = ++seen <= calls;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: !isBroken });
    if (isBroken) return void stream.end();
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    const message = ContentServiceService.listBusinesses.responseSerialize(response('second'));
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(message.length, 1);
    stream.end(Buffer.concat([prefix, message]));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, seen: () => seen };
}

test('a call whose stream ends without a status is made again, once', async () => {
  const request = { name: 'n', pageSize: 1, pageToken: '', organizationIds: [] };
  const first = await aServerThatBreaksOff(1);
  const { client, close } = contentClient(first.port);
  closing.push(close);
  expect((await client.listBusinesses(request, { call: aCall() })).nextPageToken).toBe('second');

  const always = await aServerThatBreaksOff(Infinity);
  const other = contentClient(always.port);
  closing.push(other.close);
  await expect(other.client.listBusinesses(request, { call: aCall() })).rejects.toMatchObject({
    code: 'internal_error',
    retryAfterSeconds: 1,
  });
  expect(always.seen()).toBe(2);
});
