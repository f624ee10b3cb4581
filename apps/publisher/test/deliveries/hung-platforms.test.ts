import { PLATFORMS } from '@fanfare/connectors';
import type { Integration } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

/** Of the default of 64 slots, those that can be lent, and those that one platform has at most: two are left to each other one. */
const LENT = 40;
const OF_ONE_PLATFORM = 64 - 2 * (PLATFORMS.length - 1);
const ORGANIZATIONS = 20;
const POSTS = 240;

let publisher: TestPublisher;
let accounts: Integration[];
let facebook: Integration;

beforeAll(async () => {
  // Real times: calls hang for longer than a test lasts, and no lease expires meanwhile.
  publisher = await startPublisher({ env: { TIME_SCALE: '1', DEADLINE_SCALE: '1', PLATFORM_TIMEOUT_MS: '60000', LATE_AFTER_MS: '3000' } });
  facebook = await publisher.connect('facebook');
  accounts = [];
  for (let index = 0; index < ORGANIZATIONS; index++) {
    accounts.push(await publisher.connectAs('x', await publisher.sandbox.createAccount('x', `hung_${index}`)));
  }
});
afterAll(() => publisher.stop());

const account = (index: number) => accounts[index % ORGANIZATIONS] as Integration;
const open = (platform: string) => publisher.db.collection('deliveries').countDocuments({ platform, open: true });
const SUCCESS = { status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 };

test('one account alone can use all slots that may be lent, and a delivery of another starts at once', async () => {
  const [busy, ...others] = accounts as [Integration, ...Integration[]];
  await publisher.sandbox.fault('x.create_post', { type: 'hold' }, null);
  const flood = await publisher.publish(
    ...Array.from({ length: 100 }, (_, index) => ({ integration: busy, caption: `Alone ${index}`, organizationId: 'big' })),
  );
  await eventually(async () => (await publisher.sandbox.held()) === LENT);
  // Another account of the same organization, and another organization, while none of the first deliveries ends.
  await publisher.publish({ integration: others[0]!, caption: 'Next to it', organizationId: 'big' });
  await eventually(async () => (await publisher.sandbox.exchanges('x.create_post', 'Next to it')).length === 1);
  await publisher.publish({ integration: others[1]!, caption: 'Of another organization', organizationId: 'small' });
  await eventually(async () => (await publisher.sandbox.exchanges('x.create_post', 'Of another organization')).length === 1);
  expect(await publisher.sandbox.held()).toBe(LENT + 2);
  await publisher.sandbox.clearFaults();
  for (const id of flood) expect(await publisher.outcome(id, 40_000)).toMatchObject(SUCCESS);
});

test('while a platform lets every call hang, posts to others are sent, and the platform is named, and its lateness, until it responds again', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'hold' }, null);
  const organizations = Array.from({ length: ORGANIZATIONS }, () => newId());
  const held = await publisher.publish(
    ...Array.from({ length: POSTS }, (_, index) => ({
      integration: account(index),
      caption: `Held ${index}`,
      organizationId: organizations[index % ORGANIZATIONS] ?? '',
    })),
  );
  await eventually(async () => (await open('x')) === POSTS && (await publisher.sandbox.held()) === OF_ONE_PLATFORM);

  const others = await publisher.publish(
    ...Array.from({ length: 60 }, (_, index) => ({ integration: facebook, caption: `Not held ${index}`, organizationId: newId() })),
  );
  for (const id of others) expect(await publisher.outcome(id, 20_000)).toMatchObject(SUCCESS);
  expect(await publisher.sandbox.held()).toBe(OF_ONE_PLATFORM);
  expect(held.flatMap((id) => publisher.eventsOf(id)).filter(({ status }) => status === 'DELIVERY_STATUS_SUCCESS')).toEqual([]);

  // Long before any call times out.
  const inTrouble = async () =>
    (await publisher.client.listPlatformHealth({}, publisher.call)).platforms
      .filter(({ inTrouble }) => inTrouble)
      .map(({ platform }) => platform);
  await eventually(async () => (await inTrouble()).includes('x'), 20_000);
  expect(await inTrouble()).toEqual(['x']);
  const { health } = publisher.context;
  await eventually(() => health.workProblems()['late-deliveries']?.startsWith('the oldest due delivery to x has been waiting for'));
  // Calls are served as before: a publisher without them would be no faster.
  expect(health.callProblems()).toEqual({});
  const waiting = async () =>
    (await publisher.client.listPlatformHealth({}, publisher.call)).platforms
      .filter(({ oldestDueAt }) => oldestDueAt !== undefined)
      .map(({ platform }) => platform);
  expect(await waiting()).toEqual(['x']);

  await publisher.sandbox.clearFaults();
  for (const id of held) expect(await publisher.outcome(id, 40_000)).toMatchObject(SUCCESS);
  await eventually(async () => (await inTrouble()).length === 0);
  expect(await waiting()).toEqual([]);
  await eventually(() => Object.keys(health.problems()).length === 0);
});

test('while a platform lets the calls of an organization hang, its posts to others are sent', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'hold' }, null);
  const held = await publisher.publish(
    ...Array.from({ length: 100 }, (_, index) => ({
      integration: account(index % 5),
      caption: `Held too ${index}`,
      organizationId: 'many',
    })),
  );
  await eventually(async () => (await publisher.sandbox.held()) === LENT);
  const others = await publisher.publish(
    ...Array.from({ length: 10 }, (_, index) => ({ integration: facebook, caption: `Next to it ${index}`, organizationId: 'many' })),
  );
  for (const id of others) expect(await publisher.outcome(id, 20_000)).toMatchObject(SUCCESS);
  expect(await publisher.sandbox.held()).toBe(LENT);
  await publisher.sandbox.clearFaults();
  for (const id of held) expect(await publisher.outcome(id, 40_000)).toMatchObject(SUCCESS);
});
