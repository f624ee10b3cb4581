import { startRealSandbox, type RealSandbox } from '@fanfare/infra';
import { systemCall } from '@fanfare/rpc';
import { CANARY } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import type { Db } from 'mongodb';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

// The usual sandbox of the tests stands for the real platforms here: the canary has one of its own.
let sandboxOfCanary: RealSandbox;
let publisher: TestPublisher;
const call = { call: { metadata: systemCall('canary', CANARY) } };

beforeAll(async () => {
  sandboxOfCanary = await startRealSandbox();
  publisher = await startPublisher({ env: { CANARY_SANDBOX_URL: sandboxOfCanary.url } });
});
afterAll(async () => {
  await publisher.stop();
  await sandboxOfCanary.stop();
});

test('its account is connected once, and its posts go to its own sandbox only', async () => {
  const { integration } = await publisher.client.connectCanary({}, call);
  if (!integration) throw new Error('No account.');
  expect((await publisher.client.connectCanary({}, call)).integration?.id).toBe(integration.id);
  const customer = await publisher.connect('facebook');
  const [of = '', ofCustomer = ''] = await publisher.publish(
    { integration, caption: 'Of the canary', ...CANARY },
    { integration: customer, caption: 'Of a customer' },
  );
  for (const id of [of, ofCustomer]) expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  expect((await sandboxOfCanary.posts()).map(({ text }) => text)).toEqual(['Of the canary']);
  expect((await publisher.sandbox.posts()).map(({ text }) => text)).toEqual(['Of a customer']);
});

test('its account is never called by the client of the real platforms', async () => {
  const { integration } = await publisher.client.connectCanary({}, call);
  const [id = ''] = await publisher.publish({ integration: integration!, caption: 'Of another organization' });
  await untilRetried(publisher.db, id);
  expect(await publisher.sandbox.posts('Of another organization')).toEqual([]);
});

test('without a sandbox nothing of it is sent anywhere', async () => {
  const { integration } = await publisher.client.connectCanary({}, call);
  const { client, db } = await publisher.restart({ CANARY_SANDBOX_URL: '' });
  await expect(client.connectCanary({}, call)).rejects.toMatchObject({ code: 'conflict' });
  const [id = ''] = await publisher.publish({ integration: integration!, caption: 'Nowhere', ...CANARY });
  await untilRetried(db, id);
  expect([...(await publisher.sandbox.posts('Nowhere')), ...(await sandboxOfCanary.posts('Nowhere'))]).toEqual([]);
});

/** Until the delivery has failed twice without sending anything. */
const untilRetried = (db: Db, id: string) =>
  eventually(async () => {
    const delivery = await db.collection<{ _id: string; unsent?: number }>('deliveries').findOne({ _id: id });
    return (delivery?.unsent ?? 0) >= 2;
  });
