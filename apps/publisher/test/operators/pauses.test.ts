import type { Integration, PutPauseRequest } from '@fanfare/contracts/publisher';
import { systemCall } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { publishLag } from '../../src/metrics.ts';
import { findOldestDue } from '../../src/deliveries/store/oldest-due.ts';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

let publisher: TestPublisher;
let facebook: Integration;
let x: Integration;

beforeAll(async () => {
  publisher = await startPublisher();
  facebook = await publisher.connect('facebook');
  x = await publisher.connect('x');
});
afterAll(() => publisher.stop());
afterEach(async () => {
  await publisher.sandbox.clearFaults();
  for (const { id } of (await publisher.client.listPauses({}, operator())).pauses) await end(id);
});

const operator = () => ({ call: { metadata: systemCall('operator', {}) } });
const pause = async (part: Partial<PutPauseRequest>) => {
  const request = { platform: undefined, organizationId: undefined, integrationId: undefined, reason: 'The platform misbehaves', ...part };
  return (await publisher.client.putPause(request, operator())).pause;
};
const end = (id: string) => publisher.client.deletePause({ id }, operator());
/** The owner of the accounts. */
const organization = async () => String((await publisher.db.collection('integrations').findOne())?.['organization_id']);
/** It may have begun: deliveries that were due when the pause began are prepared. */
const endings = (id: string) => publisher.eventsOf(id).filter(({ status }) => /SUCCESS|FAILED/.test(status));
const SUCCESS = { status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 };

test.each<[string, (organizationId: string) => Partial<PutPauseRequest>]>([
  ['platform:x', () => ({ platform: 'x' })],
  ['integration:', () => ({ integrationId: x.id })],
  ['organization:', (organizationId) => ({ organizationId })],
])('%s… pauses its own deliveries without failing them, and no others', async (name, part) => {
  const organizationId = await organization();
  const paused = await pause(part(organizationId));
  expect(paused?.id).toMatch(new RegExp(`^${name}`));
  const [one = '', other = ''] = await publisher.publish(
    { integration: x, caption: `Paused by ${name}`, organizationId },
    { integration: facebook, caption: `Not paused by ${name}`, organizationId: newId() },
  );
  expect(await publisher.outcome(other)).toMatchObject(SUCCESS);
  expect(endings(one)).toEqual([]);
  expect(await publisher.sandbox.posts(`Paused by ${name}`)).toEqual([]);
  await end(paused?.id ?? '');
  expect(await publisher.outcome(one)).toMatchObject(SUCCESS);
});

test('a pause of everything pauses everything', async () => {
  await pause({});
  const [id = ''] = await publisher.publish({ integration: x, caption: 'Paused with all' });
  await eventually(async () => (await publisher.db.collection('deliveries').findOne({ _id: id as never })) !== null);
  expect((await publisher.client.listPauses({}, operator())).pauses).toMatchObject([{ id: 'all', reason: 'The platform misbehaves' }]);
  // A delivery that has not begun stays pending and reports no wait.
  expect(publisher.eventsOf(id)).toEqual([]);
  // It is due, and waits on purpose.
  const { platforms } = await publisher.client.listPlatformHealth({}, operator());
  expect(platforms.filter(({ oldestDueAt }) => oldestDueAt !== undefined)).toEqual([]);
  await end('all');
  expect(await publisher.outcome(id)).toMatchObject(SUCCESS);
});

test('deliveries that wait for a paused one keep no others waiting, however many there are, and are not late', async () => {
  await pause({ platform: 'x' });
  const together = { strategy: 'PUBLISH_STRATEGY_PRIMARY_FIRST' } as const;
  for (let count = 0; count < 120; count++) await publisher.publishTogether(`After X ${count}`, [x, facebook], together);
  await eventually(async () => (await publisher.db.collection('deliveries').countDocuments({ open: true, stage: 'held' })) === 120);
  const [id = ''] = await publisher.publish({ integration: facebook, caption: 'Waits for nobody' });
  expect(await publisher.outcome(id)).toMatchObject(SUCCESS);
  expect(await findOldestDue(publisher.db, await publisher.context.paused())).toEqual([]);
  await publisher.db.collection('deliveries').updateMany({ open: true }, { $set: { open: false } });
});

test('a delivery that is being prepared when the pause begins is prepared, and does not become public', async () => {
  await publisher.sandbox.fault('facebook.create_photo', { type: 'hold' }, null);
  const mediaIds = [await publisher.library.addImage(), await publisher.library.addImage()];
  const [id = ''] = await publisher.publish({ integration: facebook, caption: 'Nearly public', mediaIds });
  await eventually(async () => (await publisher.sandbox.exchanges('facebook.create_photo')).length > 0);
  await pause({ platform: 'facebook' });
  await publisher.sandbox.clearFaults();
  // Both images are uploaded, and the delivery was released.
  await eventually(async () => {
    const delivery = await publisher.db.collection('deliveries').findOne({ _id: id as never });
    return (delivery?.['state'] as { photos?: unknown[] } | undefined)?.photos?.length === 2;
  });
  expect(await publisher.sandbox.posts('Nearly public')).toEqual([]);
  const paused = () => publisher.eventsOf(id).filter(({ waiting }) => waiting?.reason === 'held');
  expect(await eventually(() => paused()[0])).toMatchObject({ status: 'DELIVERY_STATUS_PROCESSING', waiting: { until: undefined } });
  await end('platform:facebook');
  expect(await publisher.outcome(id)).toMatchObject({ ...SUCCESS, waiting: undefined });
  expect(paused()).toHaveLength(1);
  expect(await publisher.sandbox.posts('Nearly public')).toHaveLength(1);
});

describe('a delivery that must begin by a time', () => {
  const past = () => new Date(Date.now() - 1_000);

  test('is not sent if it was paused until after that time, and says so', async () => {
    await pause({ platform: 'x' });
    const dueAt = new Date(Date.now() - 120_000);
    const [late = '', free = ''] = await publisher.publish(
      { integration: x, caption: 'Too late', dueAt, publishBefore: past() },
      { integration: facebook, caption: 'In time', dueAt, publishBefore: new Date(Date.now() + 3600_000) },
    );
    expect(await publisher.outcome(free)).toMatchObject(SUCCESS);
    const lags = (await publishLag.get()).values.filter(({ metricName }) => metricName === 'fanfare_publish_lag_seconds_sum');
    expect(lags.find(({ labels }) => labels.platform === 'facebook')?.value).toBeGreaterThanOrEqual(120);
    expect(endings(late)).toEqual([]);
    await end('platform:x');
    expect(await publisher.outcome(late)).toMatchObject({
      status: 'DELIVERY_STATUS_FAILED',
      errorType: 'too_late',
      errorMessage: expect.stringContaining(`The post was due at ${dueAt.toISOString()}.`),
      attempts: 0,
    });
    expect(await publisher.sandbox.posts('Too late')).toEqual([]);
  });

  test('is carried on after that time if it has begun', async () => {
    const mediaIds = [await publisher.library.addImage(), await publisher.library.addImage()];
    await publisher.sandbox.fault('facebook.create_photo', { type: 'hold' }, null);
    const publishBefore = new Date(Date.now() + 3600_000);
    const [id = ''] = await publisher.publish({ integration: facebook, caption: 'Begun in time', mediaIds, publishBefore });
    await eventually(() => publisher.eventsOf(id).some(({ status }) => status === 'DELIVERY_STATUS_PROCESSING'));
    await pause({ platform: 'facebook' });
    await publisher.db.collection('deliveries').updateOne({ _id: id as never }, { $set: { publish_before: past() } });
    await publisher.sandbox.clearFaults();
    await eventually(() => publisher.eventsOf(id).some(({ waiting }) => waiting?.reason === 'held'));
    await end('platform:facebook');
    expect(await publisher.outcome(id)).toMatchObject(SUCCESS);
  });
});

test('a pause of an unknown subject, or of two subjects, is rejected', async () => {
  await expect(pause({ platform: 'myspace' })).rejects.toMatchObject({ code: 'invalid_value', param: 'platform' });
  for (const id of [newId(), 'nonsense']) {
    await expect(pause({ integrationId: id })).rejects.toMatchObject({ code: 'resource_not_found', param: 'integration_id' });
    await expect(pause({ organizationId: id })).rejects.toMatchObject({ code: 'resource_not_found', param: 'organization_id' });
  }
  expect((await publisher.client.listPauses({}, operator())).pauses).toEqual([]);
  await expect(pause({ platform: 'x', integrationId: x.id })).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await end('platform:x')).toEqual({ existed: false });
});
