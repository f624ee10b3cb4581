import { testInfrastructure } from '@fanfare/testing';
import { MongoClient, type ClientSession } from 'mongodb';
import { isDuplicateKey, transaction } from '../src/index.ts';

const { mongoUrl, database } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const db = client.db(database);
const counters = db.collection<{ _id: string; value: number }>('counters');

beforeAll(async () => {
  await client.connect();
  await db.createCollection('counters');
  await db.createCollection('log');
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

test('conflicting transactions are retried until each has succeeded once', async () => {
  await counters.insertOne({ _id: 'shared', value: 0 });
  let runs = 0;
  const allHaveRead = Promise.withResolvers<void>();
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      transaction(client, async (session) => {
        const before = await counters.findOne({ _id: 'shared' }, { session });
        if (++runs === 8) allHaveRead.resolve();
        await allHaveRead.promise; // So that they do collide.
        await db.collection('log').insertOne({ n }, { session });
        await counters.updateOne({ _id: 'shared' }, { $set: { value: (before?.value ?? 0) + 1 } }, { session });
        return n;
      }),
    ),
  );
  expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(runs).toBeGreaterThan(8);
  expect(await counters.findOne({ _id: 'shared' })).toMatchObject({ value: 8 });
  expect(await db.collection('log').countDocuments()).toBe(8);
});

test('transactions that are contended are retried one at a time', async () => {
  await counters.insertOne({ _id: 'contended', value: 0 });
  const COUNT = 30;
  let [read, retrying, mostRetrying] = [0, 0, 0];
  const allHaveRead = Promise.withResolvers<void>();
  const increment = async (session: ClientSession) => {
    const before = await counters.findOne({ _id: 'contended' }, { session });
    if (++read === COUNT) allHaveRead.resolve();
    await allHaveRead.promise; // So that they do collide.
    await counters.updateOne({ _id: 'contended' }, { $set: { value: (before?.value ?? 0) + 1 } }, { session });
  };
  const one = () => {
    let isRetry = false;
    const work = async (session: ClientSession) => {
      if (!isRetry) {
        isRetry = true;
        return increment(session);
      }
      mostRetrying = Math.max(mostRetrying, ++retrying);
      return increment(session).finally(() => retrying--);
    };
    return transaction(client, work, 'contended');
  };
  await Promise.all(Array.from({ length: COUNT }, one));
  expect(await counters.findOne({ _id: 'contended' })).toMatchObject({ value: COUNT });
  expect(mostRetrying).toBe(1);
});

test('a contended transaction that fails lets the next one continue', async () => {
  await counters.insertOne({ _id: 'failing', value: 0 });
  let attempts = 0;
  const bothHaveRead = Promise.withResolvers<void>();
  const failed = new Error('changed my mind');
  const one = async (session: ClientSession) => {
    await counters.findOne({ _id: 'failing' }, { session });
    if (++attempts === 3) bothHaveRead.resolve();
    await bothHaveRead.promise;
    if (attempts > 3) throw failed;
    await counters.updateOne({ _id: 'failing' }, { $inc: { value: 1 } }, { session });
  };
  const results = await Promise.allSettled([1, 2, 3].map(() => transaction(client, one, 'failing')));
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
});

test('a transaction whose work throws writes nothing and throws the same error', async () => {
  const thrown = new Error('changed my mind');
  const work = transaction(client, async (session) => {
    await counters.insertOne({ _id: 'rolled-back', value: 1 }, { session });
    throw thrown;
  });
  await expect(work).rejects.toBe(thrown);
  expect(await counters.findOne({ _id: 'rolled-back' })).toBeNull();
});

describe('isDuplicateKey', () => {
  const people = db.collection('people');
  const failure = (write: Promise<unknown>) => write.then(() => undefined).catch((error: unknown) => error);

  beforeAll(async () => {
    await people.createIndex({ email: 1 }, { unique: true });
    await people.createIndex({ account: 1, publish_id: 1 }, { unique: true });
    await people.insertOne({ _id: 'one' as never, email: 'a@example.org', account: 1, publish_id: 1 });
  });

  test.each([
    ['_id', { _id: 'one', email: 'b@example.org', account: 2, publish_id: 1 }],
    ['email', { _id: 'two', email: 'a@example.org', account: 2, publish_id: 1 }],
    ['publish_id', { _id: 'two', email: 'b@example.org', account: 1, publish_id: 1 }],
  ])('knows a value that %s holds already, and distinguishes it from the other indexes', async (field, document) => {
    for (const write of [
      () => people.insertOne(document as never),
      () => transaction(client, (session) => people.insertOne(document as never, { session })),
    ]) {
      const error = await failure(write());
      expect(isDuplicateKey(error)).toBe(true);
      for (const one of ['_id', 'email', 'publish_id']) expect([one, isDuplicateKey(error, one)]).toEqual([one, one === field]);
    }
  });

  test('recognizes it in a bulk write', async () => {
    expect(isDuplicateKey(await failure(people.insertMany([{ _id: 'three' as never }, { _id: 'one' as never }])))).toBe(true);
  });

  test('is false for other errors', async () => {
    expect(isDuplicateKey(await failure(people.updateOne({}, { $nonsense: 1 })))).toBe(false);
    for (const other of [new Error('E11000'), { code: 11000 }, undefined]) expect(isDuplicateKey(other)).toBe(false);
  });
});
