import type { Integration } from '@fanfare/contracts/publisher';
import { systemCall } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

let publisher: TestPublisher;
beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const account = async (username: string) => publisher.connectAs('x', await publisher.sandbox.createAccount('x', username));
const disconnect = ({ id }: Integration) =>
  publisher.client.disconnectIntegration({ operationId: newId(), integrationId: id, expectedRevisions: [] }, publisher.call);
const rowOf = (id: string) => publisher.db.collection('deliveries').findOne({ _id: id as never });
const operator = { call: { metadata: systemCall('operator', {}) } };

test('deliveries that wait for an account end at once when it is disconnected, however long they were to wait', async () => {
  const integration = await account('leaving_while_it_waits');
  const inAnHour = { 'x-rate-limit-reset': String(Math.floor(Date.now() / 1_000) + 3600) };
  await publisher.sandbox.fault('x.create_post', { type: 'status', status: 429, headers: inAnHour });
  const [id = ''] = await publisher.publish({ integration, caption: 'Waits for an hour' });
  await eventually(() => publisher.eventsOf(id).some(({ waiting }) => waiting?.reason === 'rate_limited'));
  await disconnect(integration);
  expect(await publisher.outcome(id)).toMatchObject({
    status: 'DELIVERY_STATUS_FAILED',
    errorType: 'permission_denied',
    errorMessage: 'This account is no longer connected.',
  });
});

test('paused deliveries end too, and stay ended when the account is reconnected', async () => {
  const integration = await account('leaving_while_held');
  const pause = { platform: undefined, organizationId: undefined, integrationId: integration.id, reason: 'Paused for a test' };
  await publisher.client.putPause(pause, operator);
  const [id = ''] = await publisher.publish({ integration, caption: 'Paused, and then given up' });
  await eventually(async () => (await rowOf(id)) !== null);
  await disconnect(integration);
  expect(await publisher.outcome(id)).toMatchObject({
    status: 'DELIVERY_STATUS_FAILED',
    errorType: 'permission_denied',
    errorMessage: 'This account was disconnected before the post was sent.',
    attempts: 0,
  });
  expect(await publisher.connectAs('x', integration.accountId)).toMatchObject({ id: integration.id });
  await publisher.client.deletePause({ id: `integration:${integration.id}` }, operator);
  const [next = ''] = await publisher.publish({ integration, caption: 'Sent after it came back' });
  expect(await publisher.outcome(next)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  expect(await publisher.sandbox.posts('Paused, and then given up')).toEqual([]);
});

test('deliveries that a dead process left are not sent when the account is reconnected', async () => {
  const integration = await account('left_over');
  const everything = { platform: undefined, organizationId: undefined, integrationId: undefined, reason: 'Paused for a test' };
  await publisher.client.putPause(everything, operator);
  const [id = ''] = await publisher.publish({ integration, caption: 'Left over' });
  await eventually(async () => (await rowOf(id)) !== null);
  // The state after the process of a disconnect died right after its transaction, followed by a login.
  const integrations = publisher.db.collection('integrations');
  await integrations.updateOne({ _id: integration.id as never }, { $set: { disconnected_at: new Date() } });
  await publisher.client.deletePause({ id: 'all' }, operator);
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'permission_denied' });
  expect(await publisher.sandbox.posts('Left over')).toEqual([]);
});

test('a delivery that was requested after the disconnect says why it fails', async () => {
  const integration = await account('leaving_before');
  await disconnect(integration);
  const [id = ''] = await publisher.publish({ integration, caption: 'Too late' });
  expect(await publisher.outcome(id)).toMatchObject({
    status: 'DELIVERY_STATUS_FAILED',
    errorType: 'permission_denied',
    errorMessage: 'This account was disconnected before the post was sent.',
    attempts: 0,
  });
  expect(await publisher.sandbox.exchanges('x.create_post', 'Too late')).toEqual([]);
});
