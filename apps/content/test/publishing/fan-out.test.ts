import { startFanOut } from '../../src/fan-out/start-fan-out.ts';
import { fanOutRows, type FanOutRow } from '../../src/fan-out/store/fan-out-rows.ts';
import { LeaseLost, type Worker } from '@fanfare/leased-work';
import { transaction } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import { eventually, recordLog, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';

interface Change extends FanOutRow {
  text: string;
}

const { mongoUrl, database } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const db = client.db(database);
const rows = fanOutRows<Change>('changes');
const changes = db.collection<Change>('changes');
const workers: Worker[] = [];

beforeAll(async () => {
  await client.connect();
  await rows.createIndexes(db);
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await changes.deleteMany({});
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

const put = async (more: Partial<Change> = {}): Promise<string> => {
  const change = { _id: newId(), organization_id: newId(), business_id: 'b', revision: 1, text: 'new', ...more };
  await transaction(client, (session) => rows.put(db, change, session));
  return change._id;
};
const isFirstRoundDone = async (id: string) => (await changes.findOne({ _id: id }))?.is_told === true;

/** Starts a fan-out in which every change concerns `posts`. */
function start(posts: readonly string[], updatePost: (row: Change, postId: string) => Promise<void>) {
  const { log, lines } = recordLog();
  const findPosts = async (_row: Change, afterId: string, limit: number) => posts.filter((id) => id > afterId).slice(0, limit);
  workers.push(startFanOut<Change>({ db, log }, { name: 'test-updates', rows, findPosts, updatePost }));
  return lines;
}

test('a change that cannot be written to a post delays neither other changes nor other posts', async () => {
  const poisoned = await put();
  const others = [await put(), await put()];
  const updated: string[] = [];
  const lines = start(['1', '2', '3'], async ({ _id }, postId) => {
    if (_id === poisoned && postId === '2') throw new Error('Never.');
    updated.push(`${_id}:${postId}`);
  });
  await eventually(async () => (await isFirstRoundDone(others[0]!)) && isFirstRoundDone(others[1]!));
  await eventually(() => updated.includes(`${poisoned}:3`));
  await eventually(() => lines.find(({ msg, changed_id }) => msg === 'background work failed; retrying' && changed_id === poisoned));
  expect(await isFirstRoundDone(poisoned)).toBe(false);
});

test('after the last attempt a post is given up, and the posts after it are updated', async () => {
  const posts = Array.from({ length: 150 }, (_, index) => String(index).padStart(3, '0'));
  const id = await put();
  await changes.updateOne({ _id: id }, { $set: { attempts: 99 } });
  const updated = new Set<string>();
  const lines = start(posts, async (_row, postId) => {
    if (postId === '007') throw new Error('Never.');
    updated.add(postId);
  });
  await eventually(() => isFirstRoundDone(id));
  expect(updated.size).toBe(149);
  expect(lines.find(({ level }) => level === 'error')).toMatchObject({
    changed_id: id,
    err: { message: expect.stringContaining('007') as string },
  });
});

test('two processes write a change to its posts once', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => put()));
  const updated: string[] = [];
  const update = async ({ _id }: Change, postId: string) => {
    await db.command({ ping: 1 });
    updated.push(`${_id}:${postId}`);
  };
  start(['1', '2', '3'], update);
  start(['1', '2', '3'], update);
  await eventually(async () => (await changes.countDocuments({ is_told: true })) === ids.length);
  expect(updated.sort()).toEqual(ids.flatMap((id) => ['1', '2', '3'].map((post) => `${id}:${post}`)).sort());
});

test('a newer change replaces one that a process works on, which then writes no progress; an older one is ignored', async () => {
  const id = await put({ revision: 2, text: 'old' });
  const leased = await rows.leaseDue(db, 60_000);
  await put({ _id: id, revision: 1, text: 'older' });
  expect(await changes.findOne({ _id: id })).toMatchObject({ text: 'old', fence: 1 });
  await put({ _id: id, revision: 3, text: 'new' });
  await expect(rows.complete(db, leased!)).rejects.toBeInstanceOf(LeaseLost);
  const texts: string[] = [];
  start(['1'], async ({ text }) => void texts.push(text));
  await eventually(() => isFirstRoundDone(id));
  expect(texts).toEqual(['new']);
});

test('a row of the previous version is continued at its position', async () => {
  const row = { _id: newId(), organization_id: 'o', business_id: 'b', revision: 1, text: 'new', due_at: new Date(0), told_to: '2' };
  await changes.insertOne(row);
  const updated: string[] = [];
  start(['1', '2', '3'], async (_row, postId) => void updated.push(postId));
  await eventually(() => isFirstRoundDone(row._id));
  expect(updated).toEqual(['3']);
});
