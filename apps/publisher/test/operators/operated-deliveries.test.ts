import type { InspectedDelivery, Integration, ListDeliveriesRequest } from '@fanfare/contracts/publisher';
import { systemCall } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

let publisher: TestPublisher;
let facebook: Integration;
let x: Integration;

beforeAll(async () => {
  publisher = await startPublisher({ env: { PLATFORM_TIMEOUT_MS: '30000' } });
  facebook = await publisher.connect('facebook');
  x = await publisher.connect('x');
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const operator = () => ({ call: { metadata: systemCall('operator', {}) } });
const list = (request: Partial<ListDeliveriesRequest> = {}) =>
  publisher.client.listDeliveries({ pageSize: 100, pageToken: '', ...request }, operator());
const idsOf = (deliveries: readonly InspectedDelivery[]) => deliveries.map(({ id }) => id).toSorted();
const retry = (deliveryId: string, more: { confirmNotPublished?: boolean; reason?: string } = {}) =>
  publisher.client.retryDelivery({ deliveryId, reason: 'A customer asks', confirmNotPublished: false, ...more }, operator());
const release = (deliveryId: string, reason = 'Its process hangs') => publisher.client.releaseDelivery({ deliveryId, reason }, operator());
const show = async (deliveryId: string) => (await publisher.client.inspectDeliveries({ deliveryId }, operator())).deliveries[0];
const deliveries = () => publisher.db.collection('deliveries');
const PERMANENT = { type: 'status', status: 402 } as const;

describe('list', () => {
  const organizationId = newId();
  let ofX: string[];
  let ofFacebook: string[];
  let failed: string[];
  beforeAll(async () => {
    const wanted = (integration: Integration, caption: string) => ({ integration, caption, organizationId });
    ofX = await publisher.publish(...Array.from({ length: 5 }, (_, index) => wanted(x, `Listed on X ${index}`)));
    ofFacebook = await publisher.publish(wanted(facebook, 'Listed on Facebook'));
    for (const id of [...ofX, ...ofFacebook]) await publisher.outcome(id);
    await publisher.sandbox.fault('x.create_post', PERMANENT);
    failed = await publisher.publish(wanted(x, 'Listed as failed'));
    for (const id of failed) await publisher.outcome(id);
  });

  test('has the deliveries of an organization, newest first, page by page', async () => {
    const read: InspectedDelivery[] = [];
    for (let pageToken: string | undefined; pageToken !== '';) {
      const page = await list({ organizationId, pageSize: 3, pageToken: pageToken ?? '' });
      expect(page.deliveries.length).toBeLessThanOrEqual(3);
      read.push(...page.deliveries);
      pageToken = page.nextPageToken;
    }
    expect(idsOf(read)).toEqual([...ofX, ...ofFacebook, ...failed].toSorted());
    const times = read.map(({ createdAt }) => createdAt?.getTime() ?? 0);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  test('selects by account, platform, state and age', async () => {
    const selected = async (filter: Partial<ListDeliveriesRequest>) => idsOf((await list({ organizationId, ...filter })).deliveries);
    expect(await selected({ integrationId: facebook.id })).toEqual(ofFacebook);
    expect(await selected({ platform: 'x' })).toEqual([...ofX, ...failed].toSorted());
    expect(await selected({ state: 'failed' })).toEqual(failed);
    expect(await selected({ state: 'success', platform: 'x' })).toEqual(ofX.toSorted());
    expect(await selected({ state: 'open' })).toEqual([]);
    expect(await selected({ state: 'unknown_outcome' })).toEqual([]);
    expect(await selected({ olderThanMs: 3_600_000 })).toEqual([]);
    expect(await selected({ olderThanMs: 0 })).toHaveLength(7);
  });

  test('finds failed deliveries by an index, without those that were published', async () => {
    const plan = await deliveries()
      .find({ status: 'DELIVERY_STATUS_FAILED' })
      .sort({ created_at: -1, _id: -1 })
      .limit(10)
      .explain('executionStats');
    expect((plan as { executionStats: { totalKeysExamined: number } }).executionStats.totalKeysExamined).toBeLessThanOrEqual(
      failed.length + 1,
    );
  });

  test('names the invalid filter, and rejects a token of other filters', async () => {
    await expect(list({ state: 'stuck' })).rejects.toMatchObject({ code: 'invalid_value', param: 'state' });
    await expect(list({ platform: 'myspace' })).rejects.toMatchObject({ code: 'invalid_value', param: 'platform' });
    await expect(list({ olderThanMs: -1 })).rejects.toMatchObject({ code: 'invalid_value', param: 'older_than_ms' });
    for (const pageSize of [0, 101]) await expect(list({ pageSize })).rejects.toMatchObject({ code: 'invalid_value', param: 'page_size' });
    const { nextPageToken } = await list({ organizationId, pageSize: 1 });
    await expect(list({ organizationId: newId(), pageToken: nextPageToken })).rejects.toMatchObject({ param: 'cursor' });
  });
});

describe('retry', () => {
  test('makes a delivery that waits due now', async () => {
    await publisher.sandbox.fault('x.create_post', { type: 'status', status: 429, headers: { 'x-rate-limit-reset': inAnHour() } });
    const [id = ''] = await publisher.publish({ integration: x, caption: 'Waits for an hour' });
    await eventually(async () => (await deliveries().findOne({ _id: id as never, 'waiting.reason': 'rate_limited' })) !== null);
    expect(idsOf((await list({ state: 'waiting' })).deliveries)).toContain(id);
    expect(await retry(id)).toMatchObject({ result: 'due_now', delivery: { id, open: true } });
    expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
    expect(await publisher.sandbox.posts('Waits for an hour')).toHaveLength(1);
  });

  test('changes nothing of a delivery in work, and says what pauses one that is due', async () => {
    await publisher.sandbox.fault('facebook.create_photo', { type: 'hold' }, null);
    const mediaIds = [await publisher.library.addImage(), await publisher.library.addImage()];
    const [id = ''] = await publisher.publish({ integration: facebook, caption: 'In work', mediaIds });
    await eventually(async () => (await publisher.sandbox.exchanges('facebook.create_photo', mediaIds[0])).length > 0);
    const { fence } = (await show(id)) ?? {};
    expect(await retry(id)).toMatchObject({ result: 'under_way', delivery: { fence } });
    await publisher.sandbox.clearFaults();
    await publisher.outcome(id);
  });

  test('says that a failed delivery has ended, so that content can publish it again', async () => {
    await publisher.sandbox.fault('x.create_post', PERMANENT);
    const [id = ''] = await publisher.publish({ integration: x, caption: 'Fails for good' });
    await publisher.outcome(id);
    const before = await show(id);
    expect(await retry(id)).toEqual({ result: 'ended', delivery: before });
    expect(await show(id)).toEqual(before);
  });

  test('rejects what is published, unknown or being reconciled, unless a person has confirmed an unknown outcome', async () => {
    const [id = ''] = await publisher.publish({ integration: x, caption: 'Not again' });
    await publisher.outcome(id);
    await expect(retry(id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(retry(id, { confirmNotPublished: true })).rejects.toMatchObject({ code: 'conflict' });

    await deliveries().updateOne({ _id: id as never }, { $set: { status: 'DELIVERY_STATUS_FAILED', error_type: 'unknown_outcome' } });
    await expect(retry(id)).rejects.toMatchObject({ code: 'conflict', param: 'confirm_not_published' });
    expect(await retry(id, { confirmNotPublished: true })).toMatchObject({ result: 'ended' });

    await publisher.sandbox.fault('x.create_post', { type: 'accept_then_drop' });
    await publisher.sandbox.fault('x.list_user_posts', { type: 'status', status: 503 }, null);
    const [ambiguous = ''] = await publisher.publish({ integration: x, caption: 'Being reconciled' });
    await eventually(async () => (await deliveries().findOne({ _id: ambiguous as never, 'commit.failed_reads': { $gte: 1 } })) !== null);
    await expect(retry(ambiguous, { confirmNotPublished: true })).rejects.toMatchObject({ code: 'conflict' });
    await publisher.sandbox.clearFaults();
    await publisher.outcome(ambiguous);

    await expect(retry(newId())).rejects.toMatchObject({ code: 'resource_not_found' });
    await expect(retry(id, { reason: ' ' })).rejects.toMatchObject({ code: 'missing_field', param: 'reason' });
  });
});

describe('release', () => {
  test('another lease begins, and the former process writes nothing more', async () => {
    await publisher.sandbox.fault('facebook.create_photo', { type: 'hold' });
    const mediaIds = [await publisher.library.addImage(), await publisher.library.addImage()];
    const [id = ''] = await publisher.publish({ integration: facebook, caption: 'Released', mediaIds });
    await eventually(async () => (await publisher.sandbox.exchanges('facebook.create_photo', mediaIds[0])).length > 0);
    const { fence = 0 } = (await show(id)) ?? {};
    expect((await release(id)).delivery?.fence).toBe(fence + 1);
    // The first call still hangs: another lease publishes the post.
    expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
    const ended = await show(id);
    await publisher.sandbox.clearFaults();
    expect(await show(id)).toEqual(ended);
    expect(await publisher.sandbox.posts('Released')).toHaveLength(1);
  });

  test('a commit that the former process began is reconciled, not sent again', async () => {
    await publisher.sandbox.fault('x.create_post', { type: 'hold_after' });
    const [id = ''] = await publisher.publish({ integration: x, caption: 'Released during its commit' });
    await eventually(async () => (await publisher.sandbox.posts('Released during its commit')).length > 0);
    await release(id);
    expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
    expect(await publisher.sandbox.posts('Released during its commit')).toHaveLength(1);
  });

  test('rejects what no process has', async () => {
    const [id = ''] = await publisher.publish({ integration: x, caption: 'Ended' });
    await publisher.outcome(id);
    await expect(release(id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(release(newId())).rejects.toMatchObject({ code: 'resource_not_found' });
    await expect(release(id, '')).rejects.toMatchObject({ code: 'missing_field', param: 'reason' });
  });
});

const inAnHour = () => String(Math.floor(Date.now() / 1000) + 3_600);
