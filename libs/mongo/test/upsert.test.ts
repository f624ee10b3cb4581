import { testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { upsert } from '../src/upsert.ts';

interface Row {
  operation_id: string;
  open: boolean;
  calls: number;
}

const { mongoUrl, database } = testInfrastructure();
const client = new MongoClient(mongoUrl, { maxPoolSize: 50 });
const deleting = new MongoClient(mongoUrl);
const rows = client.db(database).collection<Row>('rows');

beforeAll(() => rows.createIndex({ operation_id: 1 }, { unique: true, partialFilterExpression: { open: true } }));
afterAll(async () => {
  await client.db(database).dropDatabase();
  await client.close();
  await deleting.close();
});

const call = (operationId: string) =>
  upsert(rows, { operation_id: operationId, open: true }, [{ $set: { calls: { $add: [{ $ifNull: ['$calls', 0] }, 1] } } }]);

test('concurrent inserts of one document all find it, although the index is partial', async () => {
  for (let round = 0; round < 60; round++) {
    const found = await Promise.all(Array.from({ length: 40 }, () => call(`operation-${round}`)));
    expect(new Set(found.map(({ _id }) => String(_id))).size).toBe(1);
    expect(Math.max(...found.map(({ calls }) => calls))).toBe(40);
  }
});

test('so do those whose document is deleted meanwhile', async () => {
  const ids = new Set<string>();
  for (let round = 0; round < 60; round++) {
    // By a connection of its own: those of the calls are all in use.
    const deletions = (async () => {
      for (let count = 0; count < 15; count++) await deleting.db(database).collection('rows').deleteMany({ operation_id: 'deleted' });
    })();
    for (const { _id } of await Promise.all(Array.from({ length: 40 }, () => call('deleted')))) ids.add(String(_id));
    await deletions;
  }
  // The row that a round leaves is deleted in the next one, so every second round inserts one at least.
  expect(ids.size).toBeGreaterThanOrEqual(30);
});

test('an insert that another unique index forbids fails', async () => {
  await rows.createIndex({ calls: 1 }, { unique: true, partialFilterExpression: { calls: { $gte: 1_000 } } });
  const insert = (operationId: string) => upsert(rows, { operation_id: operationId, open: true }, [{ $set: { calls: 1_000 } }]);
  await insert('first');
  await expect(insert('second')).rejects.toMatchObject({ code: 11_000 });
});
