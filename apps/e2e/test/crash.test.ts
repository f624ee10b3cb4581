import { outcomes, publish, untilTerminal } from '../src/publish.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { eventually } from '@fanfare/testing';
import { MongoClient } from 'mongodb';

let platform: Platform;

beforeAll(async () => {
  platform = await borrowPlatform();
});
afterAll(() => platform.stop());

const onlyX = (caption: string) => ({ caption, restrict_publish_to: ['x'] });

test('after an unknown outcome, a person who checked sends the post again with confirm_not_published; without it the call is rejected', async () => {
  await platform.sandbox.fault('x.create_post', { type: 'drop' });
  const post = await untilTerminal(platform, await publish(platform, onlyX('confirmed by a person')));
  expect(outcomes(post)).toEqual(['x failed unknown_outcome']);
  expect(post.status).toBe('NEW');
  const path = `/api/businesses/${platform.tenant.business_id}/posts/${post.id}/publish`;
  const rejected = await platform.api('POST', path);
  expect(rejected).toMatchObject({
    status: 409,
    body: { code: 'conflict', detail: expect.stringContaining('confirm_not_published') },
  });
  expect((await platform.api('POST', path, { confirm_not_published: true })).status).toBe(202);
  expect(outcomes(await untilTerminal(platform, post.id))).toEqual(['x success']);
  expect(await platform.sandbox.posts('confirmed by a person')).toHaveLength(1);
});

test('a publisher that is stopped during a call finishes it first', async () => {
  const held = await platform.sandbox.fault('x.create_post', { type: 'hold' });
  const id = await publish(platform, onlyX('finished before it stopped'));
  await held.untilHolding();
  const gone = platform.terminate('publisher');
  await held.remove();
  expect(await gone).toMatchObject({ code: 0 });
  expect(await platform.sandbox.posts('finished before it stopped')).toHaveLength(1);
  await platform.start('publisher');
  expect(outcomes(await untilTerminal(platform, id))).toEqual(['x success']);
});

test('analytics killed while it reads the statistics of a post: its successor stores them once', async () => {
  const post = await untilTerminal(platform, await publish(platform, onlyX('counted by a successor')));
  const { MONGODB_URL: url = '', MONGODB_DATABASE: database } = platform.settingsOf('analytics');
  const mongo = await new MongoClient(url).connect();
  const rows = mongo.db(database).collection('posts');
  const row = { post_id: post.id };
  try {
    await eventually(async () => (await rows.findOne({ ...row, snapshot_at: { $exists: true } })) !== null);
    const held = await platform.sandbox.fault('x.get_posts', { type: 'hold' });
    // As if it had been published two hours ago: the snapshot of the first hour is due.
    await rows.updateOne(row, { $set: { published_at: new Date(Date.now() - 7_200_000), snapshot_at: new Date(0) } });
    await held.untilHolding();
    await platform.kill('analytics');
    await held.remove();
    // As if the lease of the dead process had expired.
    await rows.updateOne(row, { $set: { snapshot_at: new Date(0) } });
    await platform.start('analytics');
    await eventually(async () => (await rows.findOne({ ...row, next_age: 6 })) !== null);
    expect(await rows.findOne(row)).toMatchObject({ snapshots: [{ age_hours: 1, numbers: { likes: expect.any(Number) } }] });
  } finally {
    await mongo.close();
  }
  const stats = await platform.api<{ results: { history: { age_hours: number }[] }[] }>(
    'GET',
    `/api/businesses/${platform.tenant.business_id}/posts/${post.id}/stats?history=true`,
  );
  expect(stats.body.results.map(({ history }) => history.map((one) => one.age_hours))).toEqual([[1]]);
});
