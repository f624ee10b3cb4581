import { eventually, startTcpProxy } from '@fanfare/testing';
import { aCall, contentClient, runContent } from './running-content.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const response = (nextPageToken: string) => ({ businesses: [], nextPageToken });

test('a server that is stopped in mid-call finishes the call and takes no other', async () => {
  let finish: (() => void) | undefined;
  const server = await runContent({
    listBusinesses: ({ name }) => new Promise((resolve) => (finish = () => resolve(response(name)))),
  });
  const [first, second] = [contentClient(server.port), contentClient(server.port)];
  closing.push(first.close, second.close);

  const underWay = first.client.listBusinesses({ name: 'under-way', pageSize: 1, pageToken: '', organizationIds: [] }, { call: aCall() });
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
  expect((await underWay).nextPageToken).toBe('under-way');
  await stopped;
});

test('a server that is away for a moment goes unnoticed', async () => {
  const first = await runContent({ listBusinesses: async ({ name }) => response(name) });
  const { port } = first;
  const door = await startTcpProxy(port);
  const { client, close } = contentClient(door.port);
  closing.push(door.close, close);
  await client.listBusinesses({ name: 'before', pageSize: 1, pageToken: '', organizationIds: [] }, { call: aCall() });

  door.shut();
  await first.stop();
  const asked = door.asked();
  const during = client.listBusinesses({ name: 'during', pageSize: 1, pageToken: '', organizationIds: [] }, { call: aCall() });
  await eventually(() => door.asked() >= asked + 2);
  const second = await runContent({ listBusinesses: async ({ name }) => response(name) }, { port });
  closing.push(second.stop);
  door.open();
  expect((await during).nextPageToken).toBe('during');
});

test('a call whose connection breaks before the response is made again', async () => {
  let asked = 0;
  const server = await runContent({
    // The first is never answered.
    listBusinesses: ({ name }) => (++asked === 1 ? new Promise(() => undefined) : Promise.resolve(response(name))),
  });
  const door = await startTcpProxy(server.port);
  const { client, close } = contentClient(door.port);
  closing.push(server.stop, door.close, close);
  const call = client.listBusinesses({ name: 'cut', pageSize: 1, pageToken: '', organizationIds: [] }, { call: aCall() });
  await eventually(() => asked === 1);
  door.shut();
  door.open();
  expect((await call).nextPageToken).toBe('cut');
  expect(asked).toBe(2);
});
