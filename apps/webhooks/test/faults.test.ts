import { newId } from '@fanfare/runtime';
import { eventually, startTcpProxy, testInfrastructure, type TcpProxy } from '@fanfare/testing';
import { aReceiver, type Receiver } from './a-receiver.ts';
import { startWebhooks, type TestWebhooks } from './running-webhooks.ts';

let door: TcpProxy;
let receiver: Receiver;
beforeAll(async () => {
  door = await startTcpProxy(Number(new URL(testInfrastructure().mongoUrl).port));
  receiver = await aReceiver();
});
afterAll(async () => {
  await receiver.stop();
  await door.close();
});

let webhooks: TestWebhooks | undefined;
const start = async (...[options]: Parameters<typeof startWebhooks>) => (webhooks = await startWebhooks(options));
afterEach(() => webhooks?.stop());

test('connections to MongoDB that break again and again lose no event, and store none twice', async () => {
  const webhooks = await start({
    origins: [receiver.origin],
    sending: { idleMs: 100, sweepMs: 200, leaseMs: 6_000 },
    mongoUrl: `mongodb://127.0.0.1:${door.port}/?directConnection=true&serverSelectionTimeoutMS=2000&heartbeatFrequencyMS=500`,
  });
  const scope = webhooks.aScope();
  await webhooks.endpoint(scope, `${receiver.origin}/broken`);
  const posts = Array.from({ length: 30 }, () => newId());
  for (const [index, post] of posts.entries()) {
    if (index % 10 === 5) door.disconnect();
    await webhooks.changed(scope, { id: post, revision: 1 }, ['POST_CHANGE_CREATED']);
    if (index % 10 === 9) door.open();
  }
  const feed = () =>
    webhooks.list(scope).then(
      ({ events }) => events,
      () => [],
    );
  await eventually(async () => (await feed()).length >= posts.length);
  const events = await feed();
  expect(events.map(({ sequence }) => sequence)).toEqual(posts.map((_, index) => index + 1));
  expect(events.map(({ resourceId }) => resourceId).sort()).toEqual(posts.toSorted());
  const sent = () => new Set(receiver.received.filter(({ path }) => path === '/broken').map(({ event }) => event.id));
  await eventually(() => sent().size === events.length);
  expect([...sent()].sort()).toEqual(events.map(({ id }) => id).sort());
});

test('more endpoints than are sent to at once each get their events, once', async () => {
  // On a busy machine, neither leases nor requests expire.
  const webhooks = await start({ origins: [receiver.origin], sending: { endpointsAtOnce: 100, leaseMs: 300_000, timeoutMs: 300_000 } });
  const scopes = Array.from({ length: 20 }, () => webhooks.aScope());
  await Promise.all(
    scopes.map(async (scope) => {
      for (let index = 0; index < 10; index++) await webhooks.endpoint(scope, `${receiver.origin}/crowd/${scope.organizationId}/${index}`);
    }),
  );
  for (const scope of scopes)
    for (const revision of [1, 2]) await webhooks.changed(scope, { id: newId(), revision }, ['POST_CHANGE_CREATED']);
  const inCrowd = () => receiver.received.filter(({ path }) => path.startsWith('/crowd/')).map(({ path, event }) => `${path} ${event.id}`);
  await eventually(async () => (await webhooks.db.collection('deliveries').countDocuments({ status: 'succeeded' })) === 400);
  expect(inCrowd()).toHaveLength(400);
  expect(new Set(inCrowd()).size).toBe(400);
});
