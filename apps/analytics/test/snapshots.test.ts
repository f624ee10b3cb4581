import { topics } from '@fanfare/contracts';
import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import { startAnalytics, type TestAnalytics } from './running-analytics.ts';
import type { AccountDocument } from '../src/accounts/account.ts';
import { findAccount } from '../src/accounts/store/accounts.ts';
import { findAccountDays } from '../src/accounts/store/account-months.ts';
import { posts } from '../src/posts/store/posts.ts';
import { createXPost } from './x-post.ts';

const HOUR_MS = 3_600_000;

let analytics: TestAnalytics;
beforeAll(async () => {
  // Two processes share the work. New accounts are read immediately.
  analytics = await startAnalytics({ instances: 2 });
});
afterAll(() => analytics.stop());

const day = (back: number) =>
  ago(24 * back)
    .toISOString()
    .slice(0, 10);
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
const taken = (deliveryId: string) =>
  analytics.peer
    .received(topics.postSnapshotTaken)
    .map(({ data }) => data)
    .filter((data) => data.deliveryId === deliveryId);
const rowOf = (deliveryId: string) => posts(analytics.db).findOne({ _id: deliveryId });

test("a post of yesterday gets the snapshot of 24 hours with the platform's statistics, and is due again after three days", async () => {
  const integration = await analytics.connect('x');
  const publishId = await createXPost(analytics.sandbox.url, integration.accessToken, 'Bread of yesterday');
  await analytics.sandbox.setStatistics(publishId, { likes: 7, shares: 0 });
  const postId = 'post-of-yesterday';
  const deliveryId = await analytics.published(integration, publishId, ago(30), { postId });
  await eventually(() => taken(deliveryId).length === 1);
  const [snapshot] = taken(deliveryId);
  expect(snapshot).toMatchObject({ postId, publishId, platform: 'x', snapshot: { ageHours: 24, stats: { likes: 7 } } });
  const row = await rowOf(deliveryId);
  expect(row).toMatchObject({ next_age: 72, engagements_24h: expect.any(Number) });
  expect(row?.snapshot_at?.getTime()).toBeGreaterThanOrEqual(ago(30).getTime() + 72 * HOUR_MS - 1_000);

  const target = { integrationId: integration.id, platform: 'x', publishId };
  const request = { postId, targets: [target], withHistory: true, isFresh: false, isStored: false };
  const { results } = await analytics.client.getPostStats(request, analytics.call);
  expect(results).toMatchObject([{ stats: { likes: 7 }, unavailableReason: '', history: [{ ageHours: 24, stats: { likes: 7 } }] }]);

  // Only analytics knows the accounts of a deleted post.
  const deleted = { postId, targets: [], withHistory: false, isFresh: false, isStored: false };
  expect(await analytics.client.getPostStats(deleted, analytics.call)).toMatchObject({ results: [{ target, stats: { likes: 7 } }] });
  const { organizationId, businessId } = analytics.scope;
  for (const stranger of [
    { organizationId, businessId: newId() },
    { organizationId: newId(), businessId },
  ])
    expect(await analytics.client.getPostStats(deleted, callAs(stranger))).toEqual({ results: [] });

  // What is stored, without a call to the platform.
  await analytics.sandbox.setStatistics(publishId, { likes: 9 });
  const stored = { ...request, targets: [], isFresh: true, isStored: true };
  expect(await analytics.client.getPostStats(stored, analytics.call)).toMatchObject({
    results: [{ target, stats: { likes: 7 }, unavailableReason: '', history: [{ ageHours: 24 }] }],
  });
});

test('posts of a platform that has no statistics of posts are not read', async () => {
  const integration = await analytics.connect('google_business');
  const deliveryId = await analytics.published(integration, `${integration.accountId}/localPosts/7`, ago(30));
  await eventually(async () => (await rowOf(deliveryId))?.next_age === 72);
  expect((await rowOf(deliveryId))?.snapshots).toBeUndefined();
  expect(await analytics.sandbox.exchanges('google_business.get_post')).toEqual([]);
});

test('many posts of an account are read in few calls, each once, across all processes', async () => {
  const integration = await analytics.connect('x');
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, at) => createXPost(analytics.sandbox.url, integration.accessToken, `Roll number ${at}`)),
  );
  const before = (await analytics.sandbox.exchanges('x.get_posts')).length;
  const deliveries = await Promise.all(ids.map((publishId) => analytics.published(integration, publishId, ago(2))));
  await eventually(() => deliveries.every((id) => taken(id).length > 0));
  expect(deliveries.flatMap(taken)).toHaveLength(40);
  expect((await analytics.sandbox.exchanges('x.get_posts')).length - before).toBeLessThanOrEqual(40);
});

test('statistics stay after the platform deleted the post, and no more snapshots are taken', async () => {
  const integration = await analytics.connect('x');
  const deliveryId = await analytics.published(integration, '1234567890123456789', ago(30));
  await eventually(async () => (await rowOf(deliveryId))?.absent === 1);
  expect(await rowOf(deliveryId)).toMatchObject({ next_age: 72 });
  await posts(analytics.db).updateOne({ _id: deliveryId }, { $set: { published_at: ago(80), snapshot_at: ago(1) } });
  await eventually(async () => (await rowOf(deliveryId))?.snapshot_at === undefined);
  expect(taken(deliveryId)).toEqual([]);
});

test('an account is read once a day', async () => {
  const integration = await analytics.connect('facebook');
  const accounts = analytics.db.collection<AccountDocument>('accounts');
  await accounts.updateOne({ _id: integration.id }, { $set: { snapshot_at: ago(1) } });
  const ofAccount = () => analytics.peer.received(topics.accountSnapshotTaken).filter(({ data }) => data.integrationId === integration.id);
  await eventually(() => ofAccount().length === 1);
  const { organizationId, businessId } = analytics.scope;
  const owner = { organizationId, businessId, integrationId: integration.id };
  const days = await findAccountDays(analytics.db, owner, { start: day(7), end: day(0) });
  // The statistics of yesterday, and the followers of today.
  expect(days).toMatchObject([{ impressions: expect.any(Number) }, { followers: expect.any(Number) }]);
  const history = await analytics.client.getAccountHistory({ integrationId: integration.id, start: '', end: '' }, analytics.call);
  expect(history.days).toMatchObject([{ impressions: days[0]?.impressions }, { followers: days[1]?.followers }]);
  const row = await accounts.findOne({ _id: integration.id });
  expect(row?.snapshot_at?.getTime()).toBeGreaterThan(Date.now());
});

test('a disconnected account and its posts are not read', async () => {
  const { accessToken, ...integration } = await analytics.connect('x');
  const publishId = await createXPost(analytics.sandbox.url, accessToken, 'Nobody counts me');
  await analytics.emitChange({ ...integration, status: 'INTEGRATION_STATUS_DISCONNECTED', revision: 2 });
  await eventually(async () => (await findAccount(analytics.db, integration.id))?.revision === 2);
  const deliveryId = await analytics.published(integration, publishId, ago(2));
  await eventually(async () => (await rowOf(deliveryId))?.next_age === 6);
  expect(taken(deliveryId)).toEqual([]);
});
