import { DomainError } from '@fanfare/errors';
import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import { startAnalytics, type TestAnalytics } from './running-analytics.ts';
import { cursorOf } from '../src/live/post-cursor.ts';
import { createXPost } from './x-post.ts';

let analytics: TestAnalytics;
beforeAll(async () => {
  analytics = await startAnalytics();
});
afterAll(() => analytics.stop());
afterEach(() => analytics.sandbox.clearFaults());

const nothing = { start: '', end: '', period: '', metrics: [], isFresh: false };
const statsOf = (integrationId: string, more: object = {}, call = analytics.call) =>
  analytics.client.getAccountStats({ integrationId, ...nothing, ...more }, call);
/** The cache is written after the response. */
const stored = (integrationId: string) =>
  eventually(async () => (await analytics.db.collection('reads').countDocuments({ integration_id: integrationId })) === 1);
const readsOfSandbox = async () => (await analytics.sandbox.exchanges('tiktok.get_user_info')).length;

test('fifty concurrent requests make one call to the platform, and a request soon after makes none', async () => {
  const { id } = await analytics.connect('tiktok');
  const before = await readsOfSandbox();
  const all = await Promise.all(Array.from({ length: 50 }, () => statsOf(id)));
  expect(new Set(all.map(({ stats }) => stats?.fetchedAt?.getTime())).size).toBe(1);
  await statsOf(id);
  await stored(id);
  // Ten seconds have not passed.
  await statsOf(id, { isFresh: true });
  expect((await readsOfSandbox()) - before).toBe(1);
});

test('null is unknown, zero is zero', async () => {
  const { id, accountId } = await analytics.connect('tiktok');
  await analytics.sandbox.setStatistics(accountId, { followers: 0 });
  const { stats } = await statsOf(id, { start: '2026-11-01' });
  expect(stats).toMatchObject({ followers: 0, impressions: undefined, reach: undefined, audienceAge: {} });
});

test('the audience at Pinterest is read only if its scope was granted', async () => {
  const calls = () => analytics.sandbox.exchanges('pinterest.list_ad_accounts');
  const without = await statsOf((await analytics.connect('pinterest')).id);
  expect(without.stats).toMatchObject({ followers: 640, audienceAge: {}, unavailableReason: expect.stringContaining('ads:read') });
  expect(await calls()).toEqual([]);
  const { stats } = await statsOf((await analytics.connect('pinterest', ['user_accounts:read', 'ads:read'])).id);
  expect(stats).toMatchObject({ audienceAge: { '18-24': expect.any(Number) }, audienceGender: { FEMALE: expect.any(Number) } });
  expect(stats?.unavailableReason).toBe('');
  expect(await calls()).toHaveLength(1);
});

test('another organization cannot read the account, not even from the cache', async () => {
  const { id } = await analytics.connect('tiktok');
  await statsOf(id);
  const stranger = callAs({ organizationId: newId(), businessId: newId() });
  await expect(statsOf(id, {}, stranger)).rejects.toMatchObject({ code: 'resource_not_found' });
});

test('a token that the platform rejects is refreshed, once; without another token the account must be reconnected', async () => {
  const { id } = await analytics.connect('tiktok');
  analytics.publisher.lendFirst(id, 'stale');
  expect((await statsOf(id, { start: '2026-11-02' })).stats?.followers).toEqual(expect.any(Number));
  analytics.publisher.lose(id, 'stale');
  await expect(statsOf(id, { start: '2026-11-03' })).rejects.toMatchObject({
    code: 'SOCIAL_TOKEN_EXPIRED',
    detail: 'Reconnect this account.',
  });
});

test('if the platform rejects the fresh token too, the publisher learns it, and the account must be reconnected', async () => {
  const { id } = await analytics.connect('tiktok');
  analytics.publisher.lendFirst(id, 'stale');
  await analytics.sandbox.fault(
    'tiktok.get_user_info',
    { type: 'status', status: 401, body: { error: { code: 'access_token_invalid', message: 'The access token is invalid.' } } },
    null,
  );
  await expect(statsOf(id, { start: '2026-11-03' })).rejects.toMatchObject({ code: 'SOCIAL_TOKEN_EXPIRED' });
  const requests = analytics.publisher.requests.filter(({ integrationId }) => integrationId === id);
  expect(requests.map(({ wasRefreshed }) => wasRefreshed)).toEqual([false, false, true]);
});

test.each([
  [402, 'credits', 'Your enrolled account does not have any credits to fulfill this request.'],
  [403, 'client-forbidden', 'You must use keys and tokens from a Twitter developer App that is attached to a Project.'],
])('what X says of our own app (%d) is not for callers', async (status, problem, detail) => {
  const { id } = await analytics.connect('x');
  const body = { title: 'Forbidden', type: `https://api.x.com/2/problems/${problem}`, detail, status };
  await analytics.sandbox.fault('x.get_me', { type: 'status', status, body }, null);
  await expect(statsOf(id, { isFresh: true })).rejects.toMatchObject({
    code: 'UPSTREAM_PROVIDER_ERROR',
    detail: 'X cannot be read, because it rejects Fanfare itself. An operator of this server has to fix that.',
  });
});

test.each([
  ['facebook', 'facebook.page_insights'],
  ['google_business', 'google_business.daily_metrics'],
  ['x', 'x.get_me'],
] as const)('a success of %s without data is a failure, and is not cached', async (platform, operation) => {
  const { id } = await analytics.connect(platform);
  await analytics.sandbox.fault(operation, { type: 'status', status: 200, body: {} }, null);
  await expect(statsOf(id)).rejects.toMatchObject({ code: 'UPSTREAM_PROVIDER_ERROR' });
  await analytics.sandbox.clearFaults();
  expect((await statsOf(id)).stats?.rawMetrics).not.toEqual([]);
});

test('if the read quota is exhausted, the last response is returned; without one, the error says how long to wait', async () => {
  const { id } = await analytics.connect('tiktok');
  const usedUp = () =>
    analytics.publisher.failNext(
      new DomainError('UPSTREAM_PROVIDER_ERROR', 'Too often.', { retryAfterSeconds: 30, members: { quota: 'reads' } }),
    );
  usedUp();
  await expect(statsOf(id, { start: '2026-11-04' })).rejects.toMatchObject({ code: 'UPSTREAM_PROVIDER_ERROR', retryAfterSeconds: 30 });
  const first = await statsOf(id, { start: '2026-11-04' });
  await stored(id);
  await analytics.db.collection('reads').updateMany({}, { $set: { fetched_at: new Date(Date.now() - 3_600_000) } });
  usedUp();
  const old = await statsOf(id, { start: '2026-11-04' });
  expect(old.stats?.followers).toBe(first.stats?.followers);
});

test('a read of a long range reserves all its calls', async () => {
  const { id } = await analytics.connect('instagram');
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  await statsOf(id, { start: day(720), end: day(1) });
  const { mostCalls = 0 } = analytics.publisher.requests.findLast(({ integrationId }) => integrationId === id) ?? {};
  const calls = await analytics.sandbox.exchanges('instagram.account_insights');
  expect(calls.length).toBeGreaterThan(48);
  expect(mostCalls).toBeGreaterThanOrEqual(calls.length);
});

test('cached reads of an account are deleted when the account changes', async () => {
  const { accessToken: _secret, ...integration } = await analytics.connect('tiktok');
  await statsOf(integration.id);
  await stored(integration.id);
  await analytics.emitChange({ ...integration, status: 'INTEGRATION_STATUS_DISCONNECTED', revision: 2 });
  await eventually(async () => (await analytics.db.collection('reads').countDocuments({ integration_id: integration.id })) === 0);
});

test('a missing permission is a reason in the response, not an error', async () => {
  const { id } = await analytics.connect('tiktok');
  await analytics.sandbox.fault('tiktok.get_user_info', {
    type: 'status',
    status: 401,
    body: { error: { code: 'scope_not_authorized', message: 'The user did not authorize the scope.' } },
  });
  const { stats } = await statsOf(id, { start: '2026-11-05' });
  expect(stats).toMatchObject({ followers: undefined, unavailableReason: expect.stringContaining('scope') });
});

test.each([
  ['an HTML page', { type: 'status', status: 200, body: '<html>Sorry</html>' }, 'TikTok returned a page instead of data (status 200).'],
  [
    'an error inside a success',
    { type: 'status', status: 200, body: { error: { code: 'internal_error', message: 'Please try again' } } },
    'TikTok could not be read: Please try again',
  ],
  ['a server error', { type: 'status', status: 503 }, expect.stringMatching(/^TikTok /)],
])('%s is a failure of the platform, which the error names', async (_what, fault, detail) => {
  const { id } = await analytics.connect('tiktok');
  await analytics.sandbox.fault('tiktok.get_user_info', fault, null);
  await expect(statsOf(id, { start: '2026-11-06' })).rejects.toMatchObject({ code: 'UPSTREAM_PROVIDER_ERROR', detail });
});

test('posts can be listed until the end of today in any time zone, but not until later', async () => {
  const { id: integrationId } = await analytics.connect('tiktok');
  const until = (end: Date) =>
    analytics.client.listPlatformPosts({ integrationId, start: undefined, end, pageSize: 5, cursor: '', isFresh: false }, analytics.call);
  await until(new Date(Date.now() + 23 * 3_600_000));
  await expect(until(new Date(Date.now() + 25 * 3_600_000))).rejects.toMatchObject({ code: 'invalid_request', param: 'end_date' });
});

test('a cursor that the platform no longer accepts is an error that says to start again', async () => {
  const { id, accessToken } = await analytics.connect('x');
  await Promise.all(Array.from({ length: 6 }, (_, at) => createXPost(analytics.sandbox.url, accessToken, `Listed ${at}`)));
  const list = (cursor: string) =>
    analytics.client.listPlatformPosts(
      { integrationId: id, start: undefined, end: undefined, pageSize: 5, cursor, isFresh: false },
      analytics.call,
    );
  const { nextCursor } = await list('');
  expect((await list(nextCursor)).posts.length).toBeGreaterThan(0);
  const over = list(cursorOf('over', [id, undefined, undefined]));
  await expect(over).rejects.toMatchObject({ code: 'invalid_request', param: 'cursor' });
});

test('tokens and proofs are neither stored nor returned', async () => {
  const { id, accessToken } = await analytics.connect('facebook');
  const { stats } = await statsOf(id);
  const collections = await analytics.db.collections();
  const documents = await Promise.all(collections.map((one) => one.find().toArray()));
  expect(JSON.stringify([stats, documents])).not.toContain(accessToken);
});
