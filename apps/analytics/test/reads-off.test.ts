import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import type { AccountDocument } from '../src/accounts/account.ts';
import { startAnalytics, type TestAnalytics } from './running-analytics.ts';

let analytics: TestAnalytics;
beforeAll(async () => {
  analytics = await startAnalytics({ env: { READS_OFF: 'x,tiktok' } });
});
afterAll(() => analytics.stop());

const requestsFor = (id: string) => analytics.publisher.requests.filter(({ integrationId }) => integrationId === id);
const FREE = 'Reading statistics of TikTok is turned off on this server.';
const PAID = 'Reading statistics of X is turned off on this server, because X charges for each read.';

test.each([
  ['tiktok', FREE],
  ['x', PAID],
] as const)('an account of %s has no statistics and no posts, and the reason', async (platform, reason) => {
  const { id: integrationId } = await analytics.connect(platform);
  const wanted = { integrationId, start: '', end: '', period: '', metrics: [], isFresh: true };
  const { stats } = await analytics.client.getAccountStats(wanted, analytics.call);
  expect(stats).toMatchObject({ followers: undefined, metrics: [], unavailableReason: reason });
  const page = { integrationId, start: undefined, end: undefined, pageSize: 5, cursor: '', isFresh: true };
  expect(await analytics.client.listPlatformPosts(page, analytics.call)).toMatchObject({
    posts: [],
    nextCursor: '',
    unavailableReason: reason,
  });
  const post = await analytics.client.getPlatformPost({ integrationId, publishId: '7', isFresh: true }, analytics.call);
  expect(post).toMatchObject({ post: { publishId: '7', stats: { likes: undefined } }, unavailableReason: reason });
  const target = { integrationId, platform, publishId: '7' };
  const { results } = await analytics.client.getPostStats(
    { postId: newId(), targets: [target], withHistory: false, isFresh: true, isStored: false },
    analytics.call,
  );
  expect(results).toMatchObject([{ target, unavailableReason: reason }]);
  // No token is even requested from the publisher.
  expect(requestsFor(integrationId)).toEqual([]);
});

test('dates are checked all the same', async () => {
  const { id: integrationId } = await analytics.connect('tiktok');
  const wanted = { integrationId, start: '2026-13-40', end: '', period: '', metrics: [], isFresh: false };
  await expect(analytics.client.getAccountStats(wanted, analytics.call)).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'start_date',
  });
});

test('the platforms are listed', async () => {
  expect((await analytics.client.listReadsOff({}, analytics.call)).platforms.sort()).toEqual(['tiktok', 'x']);
});

test('no snapshots are taken of them', async () => {
  const { id } = await analytics.connect('tiktok');
  const accounts = analytics.db.collection<AccountDocument>('accounts');
  await accounts.updateOne({ _id: id }, { $set: { snapshot_at: new Date(Date.now() - 60_000) } });
  await eventually(async () => ((await accounts.findOne({ _id: id }))?.snapshot_at?.getTime() ?? 0) > Date.now());
  expect(requestsFor(id)).toEqual([]);
  expect(await analytics.db.collection('account_months').countDocuments({ integration_id: id })).toBe(0);
});
