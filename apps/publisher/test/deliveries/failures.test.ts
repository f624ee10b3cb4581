import { topics } from '@fanfare/contracts';
import type { Integration } from '@fanfare/contracts/publisher';
import { eventually } from '@fanfare/testing';
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
afterEach(() => publisher.sandbox.clearFaults());

const SUCCESS = 'DELIVERY_STATUS_SUCCESS';
const FAILED = 'DELIVERY_STATUS_FAILED';
const anAccount = async (username: string) => {
  const accountId = await publisher.sandbox.createAccount('x', username);
  return { accountId, integration: await publisher.connectAs('x', accountId) };
};
const statusOf = async (id: string) =>
  (await publisher.client.listIntegrations({ pageSize: 100, pageToken: '' }, publisher.call)).integrations.find((one) => one.id === id)
    ?.status;

test.each([
  [400, 'validation_failed'],
  [403, 'permission_denied'],
])('a commit that is rejected with %d is not retried: %s', async (status, errorType) => {
  await publisher.sandbox.fault('x.create_post', { type: 'status', status });
  const caption = `Rejected with ${status}`;
  const [id = ''] = await publisher.publish({ integration: x, caption });
  expect(await publisher.outcome(id)).toMatchObject({ status: FAILED, errorType, attempts: 1 });
  expect(await publisher.sandbox.exchanges('x.create_post', caption)).toHaveLength(1);
});

test("our own used-up credits are not reported as the customer's", async () => {
  const body = {
    title: 'CreditsDepleted',
    detail: 'Your enrolled account does not have any credits.',
    type: 'https://api.x.com/2/problems/credits',
  };
  await publisher.sandbox.fault('x.create_post', { type: 'status', status: 402, body });
  const [id = ''] = await publisher.publish({ integration: x, caption: 'Without credits' });
  const { status, errorType, errorMessage } = await publisher.outcome(id);
  expect([status, errorType]).toEqual([FAILED, 'permission_denied']);
  expect(errorMessage).toContain('This service has used up its own quota at the platform');
});

test('a text that the account has posted before is reported as a duplicate', async () => {
  const [first = ''] = await publisher.publish({ integration: x, caption: 'Said before' });
  await publisher.outcome(first);
  const [second = ''] = await publisher.publish({ integration: x, caption: 'Said before' });
  expect(await publisher.outcome(second)).toMatchObject({ status: FAILED, errorType: 'duplicate_content' });
});

test('a throttled commit waits as long as the platform says, then succeeds', async () => {
  const reset = Math.floor(Date.now() / 1_000) + 20;
  await publisher.sandbox.fault('x.create_post', { type: 'status', status: 429, headers: { 'x-rate-limit-reset': String(reset) } });
  const [id = ''] = await publisher.publish({ integration: x, caption: 'Throttled' });
  expect(await publisher.outcome(id)).toMatchObject({ status: SUCCESS, attempts: 2 });
  const [rejected, sent] = await publisher.sandbox.exchanges('x.create_post', 'Throttled');
  // A twentieth of almost 20 s, like all times here.
  expect(Date.parse(sent?.at ?? '') - Date.parse(rejected?.at ?? '')).toBeGreaterThan(900);
});

test('a delivery that waits for long reports why and until when, and reports when it continues', async () => {
  const reset = Math.floor(Date.now() / 1_000) + 20;
  await publisher.sandbox.fault('x.upload_media', { type: 'status', status: 429, headers: { 'x-rate-limit-reset': String(reset) } });
  const mediaIds = [await publisher.library.addImage()];
  const [id = ''] = await publisher.publish({ integration: x, caption: 'Has to wait', mediaIds });
  expect(await publisher.outcome(id)).toMatchObject({ status: SUCCESS, waiting: undefined });
  const [begun, waits, goesOn, ...more] = publisher.eventsOf(id);
  expect(begun?.waiting).toBeUndefined();
  expect(waits).toMatchObject({
    status: 'DELIVERY_STATUS_PROCESSING',
    waiting: { reason: 'rate_limited', until: expect.any(Date) as Date, message: expect.stringMatching(/./) as string },
  });
  expect(goesOn).toMatchObject({ status: 'DELIVERY_STATUS_PROCESSING', waiting: undefined });
  expect(more).toHaveLength(1);
});

test('a post that was throttled for more than a day is given up, with the reason', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'status', status: 429 });
  const dueAt = new Date(Date.now() - 25 * 3600_000);
  const [id = ''] = await publisher.publish({ integration: x, caption: 'Throttled for a day', dueAt });
  expect(await publisher.outcome(id)).toMatchObject({
    status: FAILED,
    errorType: 'rate_limited',
    errorMessage: expect.stringMatching(/cannot wait until/) as string,
  });
});

test.each([
  ['x.upload_media', () => x],
  ['facebook.create_photo', () => facebook],
])('%s is repeated after a failure, because nobody sees it', async (operation, account) => {
  await publisher.sandbox.fault(operation, { type: 'status', status: 500 });
  await publisher.sandbox.fault(operation, { type: 'drop' });
  const caption = `Two images past ${operation}`;
  const mediaIds = [await publisher.library.addImage(), await publisher.library.addImage()];
  const [id = ''] = await publisher.publish({ integration: account(), caption, mediaIds });
  expect(await publisher.outcome(id)).toMatchObject({ status: SUCCESS, attempts: 1 });
  expect(await publisher.sandbox.posts(caption)).toMatchObject([{ media: [{}, {}] }]);
  // Waits of seconds are not reported.
  expect(publisher.eventsOf(id)).toHaveLength(2);
});

test('a preparation that never succeeds ends as platform_unavailable', async () => {
  await publisher.sandbox.fault('facebook.create_photo', { type: 'drop' }, null);
  const mediaIds = [await publisher.library.addImage(), await publisher.library.addImage()];
  const [id = ''] = await publisher.publish({ integration: facebook, caption: 'Never prepared', mediaIds });
  expect(await publisher.outcome(id, 180_000)).toMatchObject({ status: FAILED, errorType: 'platform_unavailable', attempts: 0 });
  expect(publisher.eventsOf(id).at(-1)?.errorMessage).toMatch(/^Given up/);
});

test('an expired token is refreshed, and the post is sent with the new one', async () => {
  const { integration } = await anAccount('refreshed');
  await publisher.sandbox.fault('x.create_post', { type: 'status', status: 401 });
  const [id = ''] = await publisher.publish({ integration, caption: 'With a fresh token' });
  expect(await publisher.outcome(id)).toMatchObject({ status: SUCCESS, attempts: 2 });
  expect(await statusOf(integration.id)).toBe('INTEGRATION_STATUS_CONNECTED');
  // The refresh token worked once: its successor was stored.
  await publisher.sandbox.fault('x.create_post', { type: 'status', status: 401 });
  const [again = ''] = await publisher.publish({ integration, caption: 'And another fresh one' });
  expect(await publisher.outcome(again)).toMatchObject({ status: SUCCESS });
});

test('a token that expires again during a delivery is refreshed again', async () => {
  const { integration } = await anAccount('refreshed_twice');
  await publisher.sandbox.fault('x.upload_media', { type: 'status', status: 401 });
  await publisher.sandbox.fault('x.create_post', { type: 'status', status: 401 });
  const mediaIds = [await publisher.library.addImage()];
  const [id = ''] = await publisher.publish({ integration, caption: 'Two ends of a token', mediaIds });
  expect(await publisher.outcome(id)).toMatchObject({ status: SUCCESS });
});

test('calls that were never sent, for example because the circuit breaker was open, do not use up the retries', async () => {
  const { integration } = await anAccount('kept_back');
  await publisher.sandbox.fault('x.upload_media', { type: 'status', status: 503 }, null);
  const mediaIds = [await publisher.library.addImage()];
  const [id = ''] = await publisher.publish({ integration, caption: 'Kept back', mediaIds });
  const rows = publisher.db.collection('deliveries');
  const row = async () => rows.findOne({ _id: id as never });
  await eventually(async () => (await row())?.['failures'] >= 1);
  await eventually(async () => {
    // The engine may write the row meanwhile.
    await rows.updateOne({ _id: id as never, failures: { $lt: 9 } }, { $set: { failures: 9, unsent: 9, run_at: new Date(0) } });
    return (await row())?.['failures'] >= 10;
  });
  await publisher.sandbox.clearFaults();
  await rows.updateOne({ _id: id as never }, { $set: { run_at: new Date(0) } });
  expect(await publisher.outcome(id)).toMatchObject({ status: SUCCESS, attempts: 1 });
});

test('a token that is about to expire is refreshed once before it is used, whoever needs it', async () => {
  const { integration } = await anAccount('refreshed_ahead');
  await publisher.db
    .collection('integrations')
    .updateOne({ _id: integration.id as never }, { $set: { token_expires_at: new Date(Date.now() - 1_000) } });
  const before = (await publisher.sandbox.exchanges('x.refresh_token')).length;
  const captions = ['Ahead 1', 'Ahead 2', 'Ahead 3', 'Ahead 4'];
  const ids = await publisher.publish(...captions.map((caption) => ({ integration, caption })));
  for (const id of ids) expect(await publisher.outcome(id)).toMatchObject({ status: SUCCESS, attempts: 1 });
  expect(await publisher.sandbox.exchanges('x.refresh_token')).toHaveLength(before + 1);
});

test('tokens that cannot be decrypted here do not prevent a later refresh', async () => {
  const { integration } = await anAccount('sealed_elsewhere');
  const integrations = publisher.db.collection('integrations');
  const account = { _id: integration.id as never };
  const before = await integrations.findOneAndUpdate(account, { $set: { tokens: 'sealed elsewhere', token_expires_at: new Date(0) } });
  const [id = ''] = await publisher.publish({ integration, caption: 'Opened in the end' });
  // A second attempt finds the account unlocked.
  await eventually(async () => (await publisher.db.collection('deliveries').findOne({ _id: id as never }))?.['unsent'] >= 2);
  expect(publisher.eventsOf(id).map(({ status }) => status)).not.toContain(FAILED);
  await integrations.updateOne(account, { $set: { tokens: before?.['tokens'] } });
  expect(await publisher.outcome(id)).toMatchObject({ status: SUCCESS, attempts: 1 });
});

test('a revoked grant marks the account as expired, emits that, and fails its deliveries', async () => {
  const { accountId, integration } = await anAccount('revoked');
  await publisher.sandbox.revoke(accountId);
  const [id = ''] = await publisher.publish({ integration, caption: 'Revoked' });
  expect(await publisher.outcome(id)).toMatchObject({ status: FAILED, errorType: 'token_expired', publishId: undefined });
  expect(await statusOf(integration.id)).toBe('INTEGRATION_STATUS_EXPIRED');
  await eventually(() =>
    publisher.peer
      .received(topics.integrationChanged)
      .some(({ data }) => data.integration?.id === integration.id && data.integration.status === 'INTEGRATION_STATUS_EXPIRED'),
  );
  const sent = await publisher.sandbox.exchanges('x.create_post');
  const [next = ''] = await publisher.publish({ integration, caption: 'Not even tried' });
  expect(await publisher.outcome(next)).toMatchObject({ status: FAILED, errorType: 'token_expired', attempts: 0 });
  expect(await publisher.sandbox.exchanges('x.create_post')).toHaveLength(sent.length);

  const again = await publisher.connectAs('x', accountId);
  expect(again).toMatchObject({ id: integration.id, status: 'INTEGRATION_STATUS_CONNECTED' });
  const [last = ''] = await publisher.publish({ integration: again, caption: 'Connected again' });
  expect(await publisher.outcome(last)).toMatchObject({ status: SUCCESS });
});

test('a refresh that fails temporarily does not change the account', async () => {
  const { integration } = await anAccount('token_endpoint_away');
  await publisher.sandbox.fault('x.create_post', { type: 'status', status: 401 });
  await publisher.sandbox.fault('x.refresh_token', { type: 'status', status: 503 });
  const [id = ''] = await publisher.publish({ integration, caption: 'After the token endpoint came back' });
  expect(await publisher.outcome(id)).toMatchObject({ status: SUCCESS });
  expect(await statusOf(integration.id)).toBe('INTEGRATION_STATUS_CONNECTED');
});
