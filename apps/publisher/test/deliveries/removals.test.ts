import { readFileSync } from 'node:fs';
import { topics } from '@fanfare/contracts';
import { RemovalsRequested } from '@fanfare/contracts/content/events';
import type { Integration } from '@fanfare/contracts/publisher';
import type { DeliveryChanged, RemovalChanged } from '@fanfare/contracts/publisher/events';
import { systemCall } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import type { RemovalDocument } from '../../src/removals/store/removals.ts';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

const REMOVED = 'REMOVAL_STATUS_REMOVED';
const FAILED = 'REMOVAL_STATUS_FAILED';

let publisher: TestPublisher;
let x: Integration;
beforeAll(async () => {
  publisher = await startPublisher({ instances: 2 });
  x = await publisher.connect('x');
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const operator = { call: { metadata: systemCall('operator', {}) } };
const removals = () => publisher.db.collection<RemovalDocument>('removals');
const deliveries = () => publisher.db.collection<{ _id: string; open: boolean }>('deliveries');

async function published(caption: string, integration = x, more: object = {}): Promise<DeliveryChanged> {
  const [id = ''] = await publisher.publish({ integration, caption, ...more });
  const delivery = await publisher.outcome(id);
  expect(delivery).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  expect(await publisher.sandbox.posts(caption)).toHaveLength(1);
  return delivery;
}

/** Requests removals as content does. @returns the id of the first */
async function unpublish(...published: DeliveryChanged[]): Promise<string> {
  const removals = published.map(({ deliveryId, integrationId, platform, publishId }) => {
    return { removalId: newId(), deliveryId, integrationId, platform, publishId };
  });
  await request({ operationId: newId(), postId: published[0]?.postId ?? '', ...publisher.scope, removals });
  return removals[0]?.removalId ?? '';
}

const request = (data: RemovalsRequested) =>
  publisher.peer.emit(topics.removalsRequested, [
    { emission: { subject: data.operationId, revision: 1, ...publisher.scope, flowId: 'flow' }, data },
  ]);

const eventsOf = (id: string): RemovalChanged[] =>
  publisher.peer
    .received(topics.removalChanged)
    .map(({ data }) => data)
    .filter(({ removalId }) => removalId === id);
const outcome = (id: string) => eventually(() => eventsOf(id).find(({ status }) => status === REMOVED || status === FAILED), 25_000);

/** The post is removed, and one event says so. */
async function expectRemoved(id: string, caption: string): Promise<void> {
  expect(await outcome(id)).toMatchObject({ status: REMOVED, errorType: undefined, detail: undefined });
  expect(await publisher.sandbox.posts(caption)).toEqual([]);
  expect(await removals().findOne({ _id: id })).toMatchObject({ open: false, status: REMOVED });
  expect(eventsOf(id).filter(({ status }) => status === REMOVED)).toHaveLength(1);
}

test.each(['facebook', 'google_business', 'linkedin', 'x'])('a post is removed from %s', async (platform) => {
  const integration = platform === 'x' ? x : await publisher.connect(platform);
  const caption = `Removed from ${platform}`;
  await expectRemoved(await unpublish(await published(caption, integration)), caption);
});

test('a video and its comment are removed from YouTube', async () => {
  const youtube = await publisher.connect('youtube');
  const mediaIds = [publisher.library.addVideo(readFileSync('apps/sandbox/test/fixtures/reel.mp4'))];
  await expectRemoved(await unpublish(await published('A video', youtube, { mediaIds, firstComment: 'First' })), 'A video');
  expect(await publisher.sandbox.posts('First')).toEqual([]);
});

describe('whatever happens to the call, the post is removed and there is one result:', () => {
  test.each([
    ['the call gets no response and does nothing', { type: 'drop' }],
    ['the response is lost', { type: 'accept_then_drop' }],
    ['no response arrives in time', { type: 'accept_then_timeout' }],
    ['a proxy fails the call', { type: 'html', status: 502 }],
    ['a proxy fails the call after it was carried out', { type: 'html', status: 404, apply: 'after' }],
    ['the platform reports an error after it was carried out', { type: 'status', status: 500, apply: 'after' }],
    ['the response breaks off', { type: 'truncate' }],
  ])('%s', async (what, fault) => {
    const caption = `When ${what}`;
    const delivery = await published(caption);
    const calls = async () => (await publisher.sandbox.exchanges('x.delete_post')).length;
    const before = await calls();
    await publisher.sandbox.fault('x.delete_post', fault);
    await expectRemoved(await unpublish(delivery), caption);
    // One more if its process stood still for so long that another one took the removal over.
    expect(await calls()).toBeGreaterThanOrEqual(before + 2);
  });

  test('its process dies before the call', async () => {
    const delivery = await published('Died before');
    await publisher.sandbox.fault('x.delete_post', { type: 'hold' });
    const id = await unpublish(delivery);
    await takeOver(id);
    await expectRemoved(id, 'Died before');
  });

  test('its process dies after the platform carried it out, and writes nothing when it wakes', async () => {
    const delivery = await published('Died after');
    await publisher.sandbox.fault('x.delete_post', { type: 'hold_after' });
    const id = await unpublish(delivery);
    await takeOver(id);
    await expectRemoved(id, 'Died after');
    const row = await removals().findOne({ _id: id });
    await publisher.sandbox.clearFaults();
    await eventually(async () => (await publisher.sandbox.held()) === 0);
    await expectRemoved(await unpublish(await published('Afterwards')), 'Afterwards');
    expect(await removals().findOne({ _id: id })).toEqual(row);
  });

  /** The process that has the row hangs in its call, and its lease ends. */
  async function takeOver(id: string): Promise<void> {
    await eventually(async () => (await publisher.sandbox.held()) === 1);
    await removals().updateOne({ _id: id }, { $set: { run_at: new Date(0) }, $inc: { fence: 1 } });
  }
});

test('what a person deleted is removed, and so is what was removed before', async () => {
  const delivery = await published('Twice');
  await expectRemoved(await unpublish(delivery), 'Twice');
  await expectRemoved(await unpublish(delivery), 'Twice');
});

test('a repeated request removes once', async () => {
  const delivery = await published('Requested again');
  const data = RemovalsRequested.fromPartial({
    operationId: newId(),
    postId: delivery.postId,
    ...publisher.scope,
    removals: [{ ...delivery, removalId: newId() }],
  });
  const before = (await publisher.sandbox.exchanges('x.delete_post')).length;
  await request(data);
  await request(data);
  const id = data.removals[0]?.removalId ?? '';
  await expectRemoved(id, 'Requested again');
  await request(data);
  await expectRemoved(await unpublish(await published('After the repeat')), 'After the repeat');
  expect((await publisher.sandbox.exchanges('x.delete_post')).length).toBe(before + 2);
  expect(eventsOf(id)).toHaveLength(1);
});

test('nothing is deleted while its delivery is open', async () => {
  const delivery = await published('Still open');
  await deliveries().updateOne({ _id: delivery.deliveryId }, { $set: { open: true, run_at: new Date('2100-01-01') } });
  const id = await unpublish(delivery);
  await eventually(async () => ((await removals().findOne({ _id: id }))?.fence ?? 0) > 3);
  expect(await publisher.sandbox.posts('Still open')).toHaveLength(1);
  await deliveries().updateOne({ _id: delivery.deliveryId }, { $set: { open: false } });
  await expectRemoved(id, 'Still open');
});

/** What the timeline of the post has about removals, in short. */
async function entriesOf(postId: string): Promise<string[]> {
  const { entries } = await publisher.client.listEntries({ postId, after: undefined, pageSize: 200 }, publisher.call);
  return entries.flatMap(({ kind, details }) =>
    kind.startsWith('removal_') ? `${kind} ${String(details?.['outcome'] ?? details?.['reason'])} ${String(details?.['delivery_id'])}` : [],
  );
}

test('a pause stops removals too', async () => {
  const delivery = await published('Paused');
  const pause = { platform: undefined, organizationId: undefined, integrationId: x.id, reason: 'Paused for a test' };
  await publisher.client.putPause(pause, operator);
  const id = await unpublish(delivery);
  await eventually(async () => ((await removals().findOne({ _id: id }))?.fence ?? 0) > 1);
  expect(await publisher.sandbox.posts('Paused')).toHaveLength(1);
  await publisher.client.deletePause({ id: `integration:${x.id}` }, operator);
  await expectRemoved(id, 'Paused');
  const { postId, deliveryId } = delivery;
  expect(await entriesOf(postId)).toEqual([`removal_waiting held ${deliveryId}`, `removal_attempt ok ${deliveryId}`]);
});

test('a rejected token is refreshed, and the call is made again', async () => {
  const delivery = await published('With a stale token');
  await publisher.sandbox.fault('x.delete_post', { type: 'revoked_token' });
  const refreshes = (await publisher.sandbox.exchanges('x.refresh_token')).length;
  const id = await unpublish(delivery);
  await expectRemoved(id, 'With a stale token');
  expect((await publisher.sandbox.exchanges('x.refresh_token')).length).toBe(refreshes + 1);
  expect(await removals().findOne({ _id: id })).toMatchObject({ failures: 0 });
});

test('a rate limit is waited for, and the wait is reported', async () => {
  const delivery = await published('Throttled');
  const headers = { 'x-rate-limit-reset': String(Math.floor(Date.now() / 1_000) + 20) };
  await publisher.sandbox.fault('x.delete_post', { type: 'status', status: 429, headers });
  const id = await unpublish(delivery);
  await expectRemoved(id, 'Throttled');
  expect(eventsOf(id)).toMatchObject([
    { status: 'REMOVAL_STATUS_PENDING', detail: expect.stringMatching(/./) as string },
    { status: REMOVED },
  ]);
  const { postId, deliveryId } = delivery;
  expect(await entriesOf(postId)).toEqual([
    `removal_attempt rate_limited ${deliveryId}`,
    `removal_waiting rate_limited ${deliveryId}`,
    `removal_attempt ok ${deliveryId}`,
  ]);
  const problems = async () =>
    (await publisher.client.verifyLedger({ organizationId: undefined, postId, pageToken: '' }, publisher.call)).problems;
  expect(await problems()).toEqual([]);
  await publisher.db.collection('ledger').deleteOne({ chain: id, n: 3 });
  expect(await problems()).toMatchObject([{ chain: id, position: 3, problem: 'missing' }]);
});

test('each attempt has an entry, although it fails like the one before', async () => {
  const delivery = await published('Fails often');
  await publisher.sandbox.fault('x.delete_post', { type: 'status', status: 500 }, 3);
  await expectRemoved(await unpublish(delivery), 'Fails often');
  const failure = ['removal_attempt transient', 'removal_waiting retry'];
  expect((await entriesOf(delivery.postId)).map((entry) => entry.split(' ').slice(0, 2).join(' '))).toEqual([
    ...[...failure, ...failure, ...failure],
    'removal_attempt ok',
  ]);
});

describe('a removal fails, and says why,', () => {
  const anAccount = async (username: string) => publisher.connectAs('x', await publisher.sandbox.createAccount('x', username));

  test('when the platform rejects it', async () => {
    const delivery = await published('Not allowed');
    await publisher.sandbox.fault('x.delete_post', { type: 'status', status: 403 });
    expect(await outcome(await unpublish(delivery))).toMatchObject({
      status: FAILED,
      errorType: 'permission_denied',
      detail: 'Rejected on demand.',
    });
    expect(await publisher.sandbox.posts('Not allowed')).toHaveLength(1);
  });

  test('when the person revoked the access', async () => {
    const account = await anAccount('revoked_before');
    const delivery = await published('Revoked', account);
    await publisher.sandbox.revoke(account.accountId);
    expect(await outcome(await unpublish(delivery))).toMatchObject({ status: FAILED, errorType: 'token_expired' });
    // The account is expired now: the platform is not called any more.
    expect(await outcome(await unpublish(delivery))).toMatchObject({ detail: 'This account has to be reconnected.' });
  });

  test('when the account is disconnected', async () => {
    const account = await anAccount('disconnected_before');
    const delivery = await published('Left behind', account);
    await publisher.client.disconnectIntegration(
      { operationId: newId(), integrationId: account.id, expectedRevisions: [] },
      publisher.call,
    );
    expect(await outcome(await unpublish(delivery))).toMatchObject({
      status: FAILED,
      errorType: 'permission_denied',
      detail: 'This account is no longer connected.',
    });
  });

  test.each([
    ['the platform cannot', { platform: 'tiktok' }, 'validation_failed', 'This platform does not let apps delete posts.'],
    ['a newer version knows the platform', { platform: 'murmur' }, 'validation_failed', 'This platform does not let apps delete posts.'],
    ['the id of the post is unknown', { publishId: undefined }, 'unknown_outcome', 'The platform did not report the id of this post.'],
  ])('when %s', async (_what, more, errorType, detail) => {
    const delivery = await published(`Kept: ${_what}`);
    expect(await outcome(await unpublish({ ...delivery, ...more }))).toMatchObject({ status: FAILED, errorType, detail });
  });
});
