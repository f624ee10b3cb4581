import { readFileSync } from 'node:fs';
import type { Integration } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import type { QuotaDocument } from '../../src/quotas/store/quotas.ts';
import type { DeliveryDocument } from '../../src/deliveries/delivery.ts';
import { startPublisher, type TestPublisher, type Wanted } from '../running-publisher.ts';

// A quota is reserved before the call, so that it is not exceeded; two processes share it.
const reel = readFileSync('apps/sandbox/test/fixtures/reel.mp4');
const PUBLIC = { privacy_level: 'PUBLIC_TO_EVERYONE' };

let publisher: TestPublisher;
const accounts: Record<string, Integration> = {};
const on = (platform: string) => accounts[platform] as Integration;

beforeAll(async () => {
  await awayFromMidnight();
  publisher = await startPublisher({
    instances: 2,
    // A platform that does not respond in time is not waited for: its quota is then not read.
    env: {
      PLATFORM_TIMEOUT_MS: '20000',
      PLATFORM_BUDGETS: JSON.stringify({ x: { spend_millidollars: 1_000 }, youtube: { videos_insert: 4 }, tiktok: { posts: 2 } }),
    },
  });
  for (const platform of ['facebook', 'x', 'youtube', 'tiktok', 'instagram']) accounts[platform] = await publisher.connect(platform);
});
afterAll(() => publisher.stop());
beforeEach(async () => {
  await publisher.sandbox.clearFaults();
  await publisher.db.collection('budgets').deleteMany({});
});

const rowsOf = (ids: string[]) =>
  publisher.db
    .collection<DeliveryDocument>('deliveries')
    .find({ _id: { $in: ids } })
    .toArray();
/** Each delivery was sent, or reported that it waits. */
const sentOrWaiting = (ids: string[]) =>
  eventually(async () => {
    const rows = await rowsOf(ids);
    const waiting = rows.filter((row) => row.open && row.waiting?.reason === 'rate_limited');
    const sent = rows.filter((row) => row.status === 'DELIVERY_STATUS_SUCCESS');
    return waiting.length + sent.length === ids.length && { waiting, sent };
  });
const times = (count: number, wanted: (index: number) => Wanted) =>
  publisher.publish(...Array.from({ length: count }, (_, at) => wanted(at)));
const aVideo = (caption: string): Wanted => ({ integration: on('youtube'), caption, mediaIds: [publisher.library.addVideo(reel)] });
const aClip = (caption: string): Wanted => ({
  integration: on('tiktok'),
  caption,
  mediaIds: [publisher.library.addVideo(reel)],
  options: PUBLIC,
  organizationId: newId(),
});
const anImage = async (caption: string): Promise<Wanted> => ({
  integration: on('instagram'),
  caption,
  mediaIds: [await publisher.library.addImage()],
});
const allQuotas = () => publisher.db.collection<QuotaDocument>('budgets').find().toArray();

test('an organization with many posts leaves some quota for one that comes later, and together they never exceed it', async () => {
  const [early, late] = [newId(), newId()];
  const post = (caption: string, organizationId: string): Wanted => ({ integration: on('x'), caption, organizationId });
  const ids = await times(10, (index) => post(`Early ${index} https://example.com`, early));
  const { waiting } = await sentOrWaiting(ids);
  expect(waiting.length).toBeGreaterThanOrEqual(6);
  const [id = ''] = await publisher.publish(post('Late https://example.com', late));
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
  const sent = (await publisher.sandbox.posts()).filter(({ text }) => text.includes('https://example.com'));
  expect(sent.length).toBeGreaterThan(2);
  expect(sent.length).toBeLessThanOrEqual(5);
});

test('a wait for a quota is not a failure, and is shown to readers', async () => {
  const { waiting } = await sentOrWaiting(
    await times(6, (index) => ({ integration: on('x'), caption: `Waits ${index} https://example.com` })),
  );
  const [row] = waiting;
  expect(row).toMatchObject({
    status: 'DELIVERY_STATUS_PROCESSING',
    failures: 0,
    attempts: 0,
    waiting: { message: 'The quota that X allows this service is used up for now, or reserved for other customers.' },
  });
  await eventually(() => publisher.eventsOf(row?._id ?? '').some((event) => event.waiting?.reason === 'rate_limited'));
});

test('a call counts whatever its result: failed uploads are not started too often', async () => {
  await publisher.sandbox.fault('youtube.start_upload', { type: 'status', status: 503, apply: 'before' }, 2);
  const { sent } = await sentOrWaiting(await times(6, (index) => aVideo(`Upload ${index}`)));
  const begun = await publisher.sandbox.exchanges('youtube.start_upload', 'Upload ');
  expect(begun.length).toBeGreaterThanOrEqual(2);
  expect(begun.length).toBeLessThanOrEqual(4);
  expect(sent.length).toBeLessThanOrEqual(begun.length - 2);
});

test('a post that fails returns its reservation', async () => {
  const rejection = { error: { code: 'invalid_params', message: 'The request is wrong', log_id: '1' } };
  await publisher.sandbox.fault('tiktok.init_video', { type: 'status', status: 400, body: rejection, apply: 'before' });
  const [failed = ''] = await publisher.publish(aClip('Rejected clip'));
  expect(await publisher.outcome(failed)).toMatchObject({ errorType: 'validation_failed' });
  const { sent, waiting } = await sentOrWaiting(await times(3, (index) => aClip(`Clip ${index}`)));
  expect([sent.length, waiting.length]).toEqual([2, 1]);
  expect(waiting[0]?.waiting?.message).toBe('This account has used up what TikTok allows in 24 hours: 2 posts.');
});

test('a post whose outcome is unknown keeps its reservation: the platform may have counted it', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'drop' });
  const organizationId = newId();
  const [id = ''] = await publisher.publish({ integration: on('x'), caption: 'Vanished https://example.com', organizationId });
  expect(await publisher.outcome(id)).toMatchObject({ errorType: 'unknown_outcome' });
  // Reserves and returns after it.
  await publisher.sandbox.fault('x.create_post', { type: 'status', status: 400, body: { title: 'Invalid Request' }, apply: 'before' });
  const [rejected = ''] = await publisher.publish({ integration: on('x'), caption: 'Rejected', organizationId });
  expect(await publisher.outcome(rejected)).toMatchObject({ errorType: 'validation_failed' });
  await eventually(async () => (await allQuotas())[0]?.spent[0]?.amount === 200);
});

test('a repeated step reserves its quota once', async () => {
  await publisher.sandbox.fault('tiktok.init_video', { type: 'accept_then_drop' }, 2);
  const [id = ''] = await publisher.publish(aClip('Begun three times'));
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  expect(await allQuotas()).toMatchObject([{ _id: `tiktok/posts/${on('tiktok').accountId}`, spent: [{ key: id, amount: 1 }] }]);
});

test('a process that takes over a post uses the existing reservation', async () => {
  await publisher.sandbox.fault('x.upload_media', { type: 'hold' }, null);
  const organizationId = newId();
  const mediaIds = [await publisher.library.addImage()];
  const [id = ''] = await publisher.publish({ integration: on('x'), caption: 'Carried on', mediaIds, organizationId });
  await eventually(async () => (await publisher.sandbox.exchanges('x.upload_media')).length > 0);
  // As if the first process had died long ago.
  await publisher.db
    .collection<DeliveryDocument>('deliveries')
    .updateOne({ _id: id }, { $set: { run_at: new Date(0) }, $inc: { fence: 1 } });
  await publisher.sandbox.clearFaults();
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  expect(await allQuotas()).toMatchObject([{ _id: 'x/spend_millidollars', spent: [{ key: organizationId, amount: 15 }] }]);
});

test('a post that the platform accepts and then rejects for its quota closes the quota for others', async () => {
  await publisher.sandbox.fault('tiktok.upload_chunk', { type: 'processing_error', message: 'spam_risk_too_many_posts' }, null);
  await sentOrWaiting(await publisher.publish(aClip('Given up for many')));
  const { waiting } = await sentOrWaiting(await publisher.publish(aClip('Not tried')));
  expect(waiting[0]?.failures).toBe(0);
  expect(await publisher.sandbox.exchanges('tiktok.init_video', 'Not tried')).toEqual([]);
});

test("an account's own count is read once for many posts", async () => {
  const { sent } = await sentOrWaiting(await publisher.publish(await anImage('First image')));
  expect(sent).toHaveLength(1);
  const [second = ''] = await publisher.publish(await anImage('Second image'));
  expect(await publisher.outcome(second)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  expect(await publisher.sandbox.exchanges('instagram.get_publishing_limit')).toHaveLength(1);
});

test('posts of others for the account count, and nothing is prepared in vain', async () => {
  const body = { data: [{ quota_usage: 100, config: { quota_total: 100, quota_duration: 86_400 } }] };
  await publisher.sandbox.fault('instagram.get_publishing_limit', { type: 'status', status: 200, body, apply: 'before' }, null);
  const { waiting } = await sentOrWaiting(await publisher.publish(await anImage('One too many')));
  expect(waiting[0]?.waiting?.message).toBe('This account has used up what Instagram allows in 24 hours: 100 posts.');
  expect(await publisher.sandbox.exchanges('instagram.create_container', 'One too many')).toEqual([]);
});

test("when the platform reports that the app's quota is used up, other deliveries wait before they call", async () => {
  const body = { error: { code: 403, message: 'Quota exceeded', errors: [{ domain: 'youtube.quota', reason: 'quotaExceeded' }] } };
  await publisher.sandbox.fault('youtube.start_upload', { type: 'status', status: 403, body, apply: 'before' }, null);
  await sentOrWaiting(await publisher.publish(aVideo('Into the wall')));
  await sentOrWaiting(await publisher.publish({ ...aVideo('Spared the wall'), organizationId: newId() }));
  expect(await publisher.sandbox.exchanges('youtube.start_upload', 'Into the wall')).toHaveLength(1);
  expect(await publisher.sandbox.exchanges('youtube.start_upload', 'Spared the wall')).toEqual([]);
});

test('a post without quotas does not query any', async () => {
  const [id = ''] = await publisher.publish({ integration: on('facebook'), caption: 'Free' });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  expect(await allQuotas()).toEqual([]);
});

/** In the last minutes of a day nothing is kept for others any more, and a new day restores everything. */
async function awayFromMidnight(): Promise<void> {
  const isNear = (zone: string) => {
    const [hour, minute] = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format().split(':');
    return hour === '23' && Number(minute) >= 55;
  };
  await eventually(() => !isNear('UTC') && !isNear('America/Los_Angeles'), 330_000);
}
