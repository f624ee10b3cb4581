import { createHash } from 'node:crypto';
import { newId } from '@fanfare/runtime';
import { callAs } from '@fanfare/testing';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

let publisher: TestPublisher;
beforeAll(async () => {
  publisher = await startPublisher({
    env: { PLATFORM_BUDGETS: JSON.stringify({ linkedin: { reads: 4 }, tiktok: { reads: 100, app_reads: 2 } }) },
  });
});
afterAll(() => publisher.stop());
afterEach(async () => {
  await publisher.sandbox.clearFaults();
  await unused();
});
/** The quotas as if nothing was read. */
const unused = () => publisher.db.collection('budgets').deleteMany({});

interface More {
  isBackground?: boolean;
  rejectedTokenSha256?: string;
  mostCalls?: number;
  wasRefreshed?: boolean;
}
const lend = (integrationId: string, more: More = {}, call = publisher.call) =>
  publisher.client.lendAccess(
    { integrationId, isBackground: false, rejectedTokenSha256: '', mostCalls: 1, wasRefreshed: false, ...more },
    call,
  );
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('a loan contains the token, and the proof if the platform requires one', async () => {
  const { id } = await publisher.connect('facebook');
  expect(await lend(id)).toEqual({
    integration: expect.objectContaining({ id, platform: 'facebook' }),
    accessToken: expect.stringMatching(/.{10,}/),
    tokenProof: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect((await lend((await publisher.connect('x')).id)).tokenProof).toBeUndefined();
});

test('a token that the platform rejected is refreshed once for all readers', async () => {
  const { id } = await publisher.connect('tiktok');
  const { accessToken } = await lend(id);
  const rejectedTokenSha256 = sha256(accessToken);
  const fresh = await Promise.all([1, 2, 3].map(() => lend(id, { rejectedTokenSha256 })));
  expect(new Set(fresh.map((one) => one.accessToken)).size).toBe(1);
  expect(fresh[0]?.accessToken).not.toBe(accessToken);
});

test('an account whose access is revoked for good reports that, at once and later', async () => {
  const { id } = await publisher.connect('x');
  const { accessToken } = await lend(id);
  await publisher.sandbox.fault('x.refresh_token', { type: 'status', status: 400, body: { error: 'invalid_grant' } });
  const expired = {
    code: 'SOCIAL_TOKEN_EXPIRED',
    detail: 'The access to this account has ended. Reconnect it. The platform says: invalid_grant',
  };
  await expect(lend(id, { rejectedTokenSha256: sha256(accessToken) })).rejects.toMatchObject(expired);
  await expect(lend(id)).rejects.toMatchObject(expired);
});

test('an account whose fresh token is rejected too has to be reconnected', async () => {
  const { id } = await publisher.connect('tiktok');
  const rejectedTokenSha256 = sha256((await lend(id)).accessToken);
  // Another token than the current one says nothing.
  await lend(id, { rejectedTokenSha256: sha256('another'), wasRefreshed: true });
  const expired = { code: 'SOCIAL_TOKEN_EXPIRED', detail: expect.stringContaining('rejects even a fresh access token') };
  await expect(lend(id, { rejectedTokenSha256, wasRefreshed: true })).rejects.toMatchObject(expired);
  await expect(lend(id)).rejects.toMatchObject(expired);
  const { integration } = await publisher.client.getIntegration({ integrationId: id }, publisher.call);
  expect(integration?.status).toBe('INTEGRATION_STATUS_EXPIRED');
});

test('background reads leave part of the quota to live reads', async () => {
  const { id } = await publisher.connect('linkedin');
  const background = { isBackground: true };
  for (let read = 0; read < 3; read++) await lend(id, background);
  const usedUp = { code: 'UPSTREAM_PROVIDER_ERROR', retryAfterSeconds: expect.any(Number), members: { quota: 'reads' } };
  await expect(lend(id, background)).rejects.toMatchObject(usedUp);
  await lend(id);
  await expect(lend(id)).rejects.toMatchObject(usedUp);
});

test('a read reserves its calls, and one with more calls than the whole quota needs all of it', async () => {
  const { id } = await publisher.connect('linkedin');
  await lend(id, { mostCalls: 3 });
  await expect(lend(id, { mostCalls: 2 })).rejects.toMatchObject({
    members: { quota: 'reads' },
    detail: expect.stringContaining('4 calls an hour'),
  });
  await lend(id, { mostCalls: 1 });
  await unused();
  await lend(id, { mostCalls: 53 });
});

test('accounts share the calls that the platform allows our app in a minute, and a read that is rejected uses nothing of its account', async () => {
  const { id } = await publisher.connect('tiktok');
  const accounts = { _id: { $regex: '^tiktok/reads/' } };
  const reads: PromiseSettledResult<unknown>[] = [];
  // A minute may end in between, but not two.
  while (reads.length < 6) reads.push(...(await Promise.allSettled([lend(id, { mostCalls: 1 })])));
  const rejected = reads.filter(({ status }) => status === 'rejected');
  expect(rejected[0]).toMatchObject({ reason: { members: { quota: 'app_reads' }, detail: expect.stringContaining('2 calls a minute') } });
  const [account] = await publisher.db.collection<{ _id: string; spent: { amount: number }[] }>('budgets').find(accounts).toArray();
  expect(account?.spent.reduce((sum, { amount }) => sum + amount, 0)).toBe(reads.length - rejected.length);
});

test('an account of another business, and a disconnected one, are not lent', async () => {
  const { id } = await publisher.connect('pinterest');
  await expect(lend(id, {}, callAs({ organizationId: newId(), businessId: newId() }))).rejects.toMatchObject({
    code: 'resource_not_found',
  });
  await publisher.client.disconnectIntegration({ integrationId: id, operationId: newId(), expectedRevisions: [] }, publisher.call);
  await expect(lend(id)).rejects.toMatchObject({ code: 'conflict' });
});
