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
