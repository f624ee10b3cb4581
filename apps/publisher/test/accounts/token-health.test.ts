import { topics } from '@fanfare/contracts';
import type { Integration } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { tokenCheckRows } from '../../src/accounts/store/token-checks.ts';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

const DAY_MS = 24 * 3600_000;

let publisher: TestPublisher;
beforeAll(async () => {
  publisher = await startPublisher({ instances: 2 });
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const anAccount = async (username: string, platform = 'x') => {
  const accountId = await publisher.sandbox.createAccount(platform, username);
  return publisher.connectAs(platform, accountId);
};
const integrations = () => publisher.db.collection('integrations');
const change = ({ id }: Integration, set: object) => integrations().updateOne({ _id: id as never }, { $set: set });
/** Makes the check due. */
async function due(integration: Integration, more: object = {}): Promise<void> {
  await change(integration, { token_check_at: new Date(), ...more });
  tokenCheckRows.wakeWorkers(publisher.db);
}
const get = async ({ id }: Integration) => {
  const { integration } = await publisher.client.getIntegration({ integrationId: id }, publisher.call);
  if (!integration) throw new Error('No integration.');
  return integration;
};
const refreshes = () => publisher.sandbox.exchanges('x.refresh_token');
const emitted = ({ id }: Integration, status: string) =>
  publisher.peer.received(topics.integrationChanged).some(({ data }) => data.integration?.id === id && data.integration.status === status);
const refresh = ({ id }: Integration) => publisher.client.refreshIntegration({ operationId: newId(), integrationId: id }, publisher.call);

test('tokens are checked before they expire', async () => {
  const account = await anAccount('in_time');
  const row = await integrations().findOne({ _id: account.id as never });
  // A tenth of a lifetime of two hours is left.
  const left = (row?.['token_expires_at'] as Date).getTime() - (row?.['token_check_at'] as Date).getTime();
  expect(left).toBe(12 * 60_000);
});

test('an account that is due is refreshed once, by whichever replica finds it, and continues to work', async () => {
  const account = await anAccount('refreshed_ahead');
  const before = (await refreshes()).length;
  await due(account);
  const fresh = await eventually(async () => {
    const now = await get(account);
    return now.revision > account.revision && now;
  });
  expect(fresh).toMatchObject({ status: 'INTEGRATION_STATUS_CONNECTED', scopes: account.scopes, revision: account.revision + 1 });
  expect((await refreshes()).length).toBe(before + 1);
  // The platform revoked the refresh token when it was used: only the stored successor works.
  expect((await refresh(account)).integration?.revision).toBe(account.revision + 2);
  const [id = ''] = await publisher.publish({ integration: account, caption: 'With fresh tokens' });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
});

test('twenty concurrent requests for fresh tokens cause one refresh at a time, and no account expires', async () => {
  const account = await anAccount('used_by_many');
  await Promise.all(Array.from({ length: 20 }, () => refresh(account)));
  expect(await get(account)).toMatchObject({ status: 'INTEGRATION_STATUS_CONNECTED', lastError: undefined });
});

// Each on a platform of its own: enough failures open the platform's circuit breaker, and no account of it can be connected for a while.
test.each([
  ['an outage', { type: 'status', status: 503 }, 'tiktok'],
  ['a dropped connection', { type: 'drop' }, 'pinterest'],
  ['a page instead of JSON', { type: 'html' }, 'youtube'],
])('%s disconnects no account: the refresh is retried until it works, and a lasting failure is reported', async (what, fault, platform) => {
  const account = await anAccount(`after_${what.replaceAll(' ', '_')}`, platform);
  await publisher.sandbox.fault(`${platform}.refresh_token`, fault, null);
  // Even if the token itself has expired.
  await due(account, { token_expires_at: new Date(Date.now() - 1_000) });
  const troubled = await eventually(async () => {
    const now = await get(account);
    return now.lastError !== undefined && now;
  });
  expect(troubled.status).toBe('INTEGRATION_STATUS_CONNECTED');
  await expect(refresh(account)).rejects.toMatchObject({ code: 'UPSTREAM_PROVIDER_ERROR' });
  await publisher.sandbox.clearFaults();
  await eventually(async () => (await get(account)).lastError === undefined);
  expect((await get(account)).tokenExpiresAt?.getTime()).toBeGreaterThan(Date.now());
});

test('a revoked grant requires the person to reconnect, and is emitted', async () => {
  const account = await anAccount('grant_ended');
  await publisher.sandbox.revoke(account.accountId);
  await due(account);
  await eventually(async () => (await get(account)).status === 'INTEGRATION_STATUS_EXPIRED');
  const { lastError, capabilities } = await get(account);
  expect(lastError).not.toBe('');
  expect(capabilities[0]).toMatchObject({ available: false, reason: 'token_expired' });
  await eventually(() => emitted(account, 'INTEGRATION_STATUS_EXPIRED'));
  await expect(refresh(account)).rejects.toMatchObject({ code: 'SOCIAL_TOKEN_EXPIRED' });
  const again = await publisher.connectAs('x', account.accountId);
  expect(again).toMatchObject({ id: account.id, status: 'INTEGRATION_STATUS_CONNECTED', lastError: undefined });
});

test('access that only the person can renew is announced in its last week, and expires at its end', async () => {
  const account = await anAccount('no_refresh');
  await due(account, { refreshable: false, token_expires_at: new Date(Date.now() + 6 * DAY_MS) });
  await eventually(() => emitted(account, 'INTEGRATION_STATUS_EXPIRING'));
  const before = (await refreshes()).length;
  await expect(refresh(account)).rejects.toMatchObject({ code: 'conflict' });
  const [id = ''] = await publisher.publish({ integration: account, caption: 'Still works' });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  await due(account, { token_expires_at: new Date(Date.now() - 60_000) });
  await eventually(() => emitted(account, 'INTEGRATION_STATUS_EXPIRED'));
  expect((await refreshes()).length).toBe(before);
});

test('a login that the platform ends after some time is announced in its last week, until the person reconnects', async () => {
  const account = await publisher.connect('linkedin');
  const year = account.reconnectBy ? account.reconnectBy.getTime() - Date.now() : 0;
  expect(Math.round(year / DAY_MS)).toBe(365);
  const soon = { access_token: 'soon over', expires_in: 3600, refresh_token: 'the same', refresh_token_expires_in: 6 * 24 * 3600 };
  await publisher.sandbox.fault('linkedin.refresh_token', { type: 'status', status: 200, body: soon });
  await due(account);
  const expiring = await eventually(async () => {
    const now = await get(account);
    return now.status === 'INTEGRATION_STATUS_EXPIRING' && now;
  });
  expect(expiring.reconnectBy?.getTime()).toBeLessThan(Date.now() + 6 * DAY_MS);
  await eventually(() => emitted(account, 'INTEGRATION_STATUS_EXPIRING'));
  expect(await publisher.connect('linkedin')).toMatchObject({ id: account.id, status: 'INTEGRATION_STATUS_CONNECTED' });
});

test('a page whose own token does not expire keeps the login that it comes from alive', async () => {
  const page = await publisher.connect('facebook');
  const row = await integrations().findOne({ _id: page.id as never });
  expect(page.tokenExpiresAt).toBeUndefined();
  // Sixty days are granted.
  expect(Math.round(((row?.['token_check_at'] as Date).getTime() - Date.now()) / DAY_MS)).toBe(53);
  await due(page, { reconnect_by: new Date(Date.now() + 7 * DAY_MS) });
  const renewed = await eventually(async () => {
    const now = await get(page);
    return now.revision > page.revision && now;
  });
  expect(renewed.status).toBe('INTEGRATION_STATUS_CONNECTED');
  expect(renewed.reconnectBy?.getTime()).toBeGreaterThan(Date.now() + 59 * DAY_MS);
});

test('settings that change while tokens are refreshed are not lost, and neither are the tokens', async () => {
  const account = await anAccount('both_at_once');
  await publisher.sandbox.fault('x.refresh_token', { type: 'hold' });
  const refreshing = refresh(account);
  await eventually(async () => (await publisher.sandbox.held()) === 1);
  const settings = { reply_settings: 'following' };
  const edit = { operationId: newId(), integrationId: account.id, expectedRevisions: [], settings };
  await publisher.client.updateIntegration(edit, publisher.call);
  await publisher.sandbox.clearFaults();
  await refreshing;
  expect(await get(account)).toMatchObject({ settings, revision: account.revision + 2 });
  expect((await refresh(account)).integration?.revision).toBe(account.revision + 3);
});

test('an account that is disconnected while its tokens are refreshed stays disconnected', async () => {
  const account = await anAccount('disconnected_meanwhile');
  const before = (await publisher.sandbox.exchanges('x.revoke_token')).length;
  // X has refreshed them before it takes back the former ones.
  await publisher.sandbox.fault('x.refresh_token', { type: 'hold_after' });
  const refreshing = refresh(account).catch((error: unknown) => error);
  await eventually(async () => (await publisher.sandbox.held()) === 1);
  const edit = { operationId: newId(), integrationId: account.id, expectedRevisions: [] };
  await publisher.client.disconnectIntegration(edit, publisher.call);
  await publisher.sandbox.clearFaults();
  expect(await refreshing).toMatchObject({ code: 'SOCIAL_TOKEN_EXPIRED' });
  expect((await get(account)).status).toBe('INTEGRATION_STATUS_DISCONNECTED');
  expect(await integrations().findOne({ _id: account.id as never })).toMatchObject({ tokens: '' });
  // The tokens that the refresh returned are revoked too.
  await eventually(async () => (await publisher.sandbox.exchanges('x.revoke_token')).length === before + 4);
});
