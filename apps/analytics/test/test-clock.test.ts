import { topics } from '@fanfare/contracts';
import { eventually } from '@fanfare/testing';
import { posts } from '../src/posts/store/posts.ts';
import { startAnalytics, type TestAnalytics } from './running-analytics.ts';
import { createXPost } from './x-post.ts';

const HOUR_MS = 3_600_000;
/** More than any test takes. */
const SOON_MS = 120_000;

let analytics: TestAnalytics;
beforeAll(async () => {
  analytics = await startAnalytics();
});
afterAll(() => analytics.stop());

test('snapshots are taken at the ages that posts have by the clock, and once a day of accounts', async () => {
  const { clock, call } = analytics;
  const integration = await analytics.connect('x');
  const publishId = await createXPost(analytics.sandbox.url, integration.accessToken, 'Bread of the future');
  const deliveryId = await analytics.published(integration, publishId, new Date());
  const ages = async () => (await posts(analytics.db).findOne({ _id: deliveryId }))?.snapshots?.map(({ age_hours }) => age_hours) ?? [];
  const days = () => analytics.peer.received(topics.accountSnapshotTaken).map(({ data }) => data.day);
  const noWorkLeft = () => eventually(async () => (await clock.workLeft(call)).openWork.length === 0);
  await eventually(async () => (await posts(analytics.db).findOne({ _id: deliveryId }))?.next_age === 1);
  await noWorkLeft();
  expect(await ages()).toEqual([]);
  const { nextDueAt } = await clock.workLeft(call);
  expect(nextDueAt?.getTime()).toBeLessThan(Date.now() + 1.2 * HOUR_MS);

  await clock.advance(call, 2);
  await eventually(async () => (await ages()).length === 1);
  await noWorkLeft();
  await clock.advance(call, 30);
  await eventually(async () => (await ages()).length === 2);
  expect(await ages()).toEqual([1, 24]);
  await noWorkLeft();
  const [row] = (await posts(analytics.db).findOne({ _id: deliveryId }))?.snapshots?.slice(-1) ?? [];
  expect(Math.abs((row?.taken_at.getTime() ?? 0) - Date.now() - 30 * HOUR_MS)).toBeLessThan(SOON_MS);

  const before = days().length;
  await clock.advance(call, 30 + 3 * 24);
  await noWorkLeft();
  await eventually(() => days().length > before);
  expect(new Set(days()).size).toBe(days().length);
});
