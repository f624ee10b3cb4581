import { readFileSync } from 'node:fs';
import type { Integration } from '@fanfare/contracts/publisher';
import { systemCall } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

let publisher: TestPublisher;
let facebook: Integration;
let x: Integration;
let youtube: Integration;

beforeAll(async () => {
  publisher = await startPublisher();
  facebook = await publisher.connect('facebook');
  x = await publisher.connect('x');
  youtube = await publisher.connect('youtube');
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const operator = () => ({ call: { metadata: systemCall('operator', {}) } });
const inspect = async (request: { deliveryId?: string; postId?: string }) =>
  (await publisher.client.inspectDeliveries({ deliveryId: undefined, postId: undefined, ...request }, operator())).deliveries;

test('shows how a delivery went: its steps, attempts, times and the URL of the post', async () => {
  const mediaIds = [await publisher.library.addImage()];
  const [id = ''] = await publisher.publish({ integration: facebook, caption: 'Inspected', mediaIds });
  const { publishId, postId } = await publisher.outcome(id);
  const [delivery] = await inspect({ deliveryId: id });
  expect(delivery).toMatchObject({
    id,
    postId,
    integrationId: facebook.id,
    platform: 'facebook',
    accountId: facebook.accountId,
    status: 'success',
    open: false,
    attempts: 1,
    failures: 0,
    publishId,
    errorType: undefined,
    commit: undefined,
    publishedAt: expect.any(Date),
    pauses: [],
  });
  expect(delivery?.steps.length).toBeGreaterThan(0);
  for (const step of delivery?.steps ?? []) expect(step).toMatchObject({ outcome: 'ok', runs: 1, endedAt: expect.any(Date) });
  expect(delivery?.fence).toBeGreaterThan(0);
  expect(await inspect({ postId })).toEqual([delivery]);
});

test('shows the error of a failed delivery, and which step had it how often', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'status', status: 402 });
  const [id = ''] = await publisher.publish({ integration: x, caption: 'Inspected in vain' });
  await publisher.outcome(id);
  const [delivery] = await inspect({ deliveryId: id });
  expect(delivery).toMatchObject({ status: 'failed', errorType: expect.any(String), errorMessage: expect.any(String) });
  expect(delivery?.steps.at(-1)?.outcome).not.toBe('ok');
});

test('names the pause that applies', async () => {
  const organizationId = newId();
  const request = { platform: undefined, organizationId, integrationId: undefined, reason: 'Unpaid', suspension: true };
  const { pause } = await publisher.client.putPause(request, operator());
  expect(pause?.id).toBe(`suspension:${organizationId}`);
  const [id = ''] = await publisher.publish({ integration: facebook, caption: 'Paused for a suspension', organizationId });
  await eventually(async () => {
    const found = await inspect({ deliveryId: id }).catch(() => []);
    return found[0]?.status === 'pending';
  });
  expect(await inspect({ deliveryId: id })).toMatchObject([{ open: true, pauses: [`suspension:${organizationId}`], steps: [] }]);
  await publisher.client.deletePause({ id: `suspension:${organizationId}` }, operator());
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
});

test('shows neither an upload URL of the platform nor a token', async () => {
  await publisher.sandbox.fault('youtube.upload_last_part', { type: 'hold' });
  const [id = ''] = await publisher.publish({
    integration: youtube,
    caption: 'Inspected midway',
    mediaIds: [publisher.library.addVideo(readFileSync('apps/sandbox/test/fixtures/reel.mp4'))],
  });
  const row = () => publisher.db.collection('deliveries').findOne({ _id: id as never });
  const state = await eventually(async () => {
    const { state: found = {}, commit } = ((await row()) ?? {}) as { state?: Record<string, unknown>; commit?: unknown };
    return commit !== undefined && Object.values(found).some((value) => typeof value === 'string' && value.includes('://'))
      ? found
      : undefined;
  });
  const shown = JSON.stringify(await inspect({ deliveryId: id }));
  for (const value of Object.values(state)) if (typeof value === 'string') expect(shown).not.toContain(value);
  expect(shown).not.toContain('sbx');
  expect(await inspect({ deliveryId: id })).toMatchObject([{ status: 'processing', commit: { beganAt: expect.any(Date) } }]);
  await publisher.sandbox.clearFaults();
  await publisher.outcome(id);
});

test('rejects requests without an id, and reports unknown ids', async () => {
  for (const request of [{}, { deliveryId: newId(), postId: newId() }]) {
    await expect(inspect(request)).rejects.toMatchObject({ code: 'invalid_request' });
  }
  await expect(inspect({ deliveryId: newId() })).rejects.toMatchObject({ code: 'resource_not_found' });
  await expect(inspect({ postId: newId() })).rejects.toMatchObject({ code: 'resource_not_found' });
});
