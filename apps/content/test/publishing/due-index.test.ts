import { connectMongo, migrate, type Mongo } from '@fanfare/mongo';
import { testInfrastructure } from '@fanfare/testing';
import type { Document } from 'mongodb';
import { migrations } from '../../src/migrations.ts';
import type { PostDocument } from '../../src/posts/post.ts';
import { findDuePosts, findNextDueAt } from '../../src/posts/store/posts.ts';
import { aBusiness, aScheduledPost } from '../running-content.ts';

const DUE = 7;

let mongo: Mongo;
beforeAll(async () => {
  const { mongoUrl, database } = testInfrastructure();
  mongo = await connectMongo({ url: mongoUrl, database, service: 'test' });
  await migrate(mongo.db, migrations);
  const call = aBusiness();
  const at = (ms: number) => new Date(Date.now() + ms);
  const later = Array.from({ length: 3_000 }, (_none, index) => aScheduledPost(call, at(3600_000 + index)));
  const claimed = Array.from({ length: 3_000 }, (_none, index) => {
    const { next_due_at, ...post } = aScheduledPost(call, at(-3600_000 - index));
    return post;
  });
  const unscheduled = Array.from({ length: 3_000 }, () => {
    const { next_due_at, scheduled_publish_time, ...post } = aScheduledPost(call, at(0), { status: 'POST_STATUS_DRAFT' });
    return post;
  });
  const due = Array.from({ length: DUE }, (_, index) => aScheduledPost(call, at(-1_000 * (index + 1))));
  await mongo.db.collection<PostDocument>('posts').insertMany([...later, ...claimed, ...unscheduled, ...due]);
});
afterAll(async () => {
  await mongo.db.dropDatabase();
  await mongo.close();
});

/** MongoDB's profile of the last query of the posts that `work` made. */
async function profiled<T>(work: () => Promise<T>): Promise<{ response: T; seen: Document | null }> {
  const { db } = mongo;
  await db.command({ profile: 2 });
  const response = await work();
  await db.command({ profile: 0 });
  return { response, seen: await db.collection('system.profile').findOne({ 'command.find': 'posts' }, { sort: { ts: -1 } }) };
}

const BY_THE_INDEX = { planSummary: 'IXSCAN { next_due_at: 1, organization_id: 1 }' };

test('finding due posts reads only due posts, the longest due first', async () => {
  const { response, seen } = await profiled(() => findDuePosts(mongo.db, {}, 100));
  expect(response).toHaveLength(DUE);
  expect(seen).toMatchObject(BY_THE_INDEX);
  expect(seen?.['keysExamined']).toBeLessThanOrEqual(DUE + 1);
  expect(seen?.['docsExamined']).toBe(DUE);
  expect(seen?.['hasSortStage']).toBeFalsy();
});

test('so does finding those of other organizations', async () => {
  const { response, seen } = await profiled(() =>
    findDuePosts(mongo.db, { organizations: [aBusiness().call.metadata.organizationId] }, 100),
  );
  expect(response).toHaveLength(DUE);
  expect(seen).toMatchObject(BY_THE_INDEX);
  expect(seen?.['docsExamined']).toBe(DUE);
});

test('finding the next due time reads one post', async () => {
  const { response, seen } = await profiled(() => findNextDueAt(mongo.db));
  expect(response?.getTime()).toBeLessThan(Date.now());
  expect(seen).toMatchObject(BY_THE_INDEX);
  expect(seen?.['keysExamined']).toBe(1);
});
