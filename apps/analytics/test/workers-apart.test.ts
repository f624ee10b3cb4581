import { topics } from '@fanfare/contracts';
import { eventually } from '@fanfare/testing';
import { posts } from '../src/posts/store/posts.ts';
import { startAnalytics, type TestAnalytics } from './running-analytics.ts';
import { createXPost } from './x-post.ts';

let analytics: TestAnalytics;
beforeAll(async () => {
  analytics = await startAnalytics({ env: { SNAPSHOTS_AT_ONCE: '0' } });
});
afterAll(() => analytics.stop());

test('a process that takes no snapshots serves calls, and leaves the snapshots to one that does', async () => {
  const integration = await analytics.connect('x');
  const publishId = await createXPost(analytics.sandbox.url, integration.accessToken, 'Rolls');
  const postId = 'post-for-a-worker';
  const deliveryId = await analytics.published(integration, publishId, new Date(Date.now() - 30 * 3_600_000), { postId });
  const row = () => posts(analytics.db).findOne({ _id: deliveryId });
  await eventually(async () => (await row())?.snapshot_at !== undefined);
  // It handled the event, and reads statistics for callers.
  const target = { integrationId: integration.id, platform: 'x', publishId };
  const { results } = await analytics.client.getPostStats(
    { postId, targets: [target], withHistory: false, isFresh: true, isStored: false },
    analytics.call,
  );
  expect(results).toMatchObject([{ unavailableReason: '' }]);
  expect((await row())?.snapshots).toBeUndefined();
  expect(analytics.peer.received(topics.postSnapshotTaken)).toEqual([]);

  await analytics.startProcess({ SNAPSHOTS_AT_ONCE: '64' });
  await eventually(async () => (await row())?.snapshots?.length === 1);
});
