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
const rows = client.db(database).collection<Row>('rows');

beforeAll(() => rows.createIndex({ operation_id: 1 }, { unique: true, partialFilterExpression: { open: true } }));
afterAll(async () => {
  await client.db(database).dropDatabase();
  await client.close();
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

test('so do those whose document is deleted again and again', async () => {
  let isOver = false;
  const deleting = (async () => {
    while (!isOver) await rows.deleteMany({ operation_id: 'deleted' });
  })();
  const found = await Promise.all(Array.from({ length: 1_500 }, () => call('deleted'))).finally(() => (isOver = true));
  await deleting;
  expect(new Set(found.map(({ _id }) => String(_id))).size).toBeGreaterThan(1);
});

test('an insert that another unique index forbids fails', async () => {
  await rows.createIndex({ calls: 1 }, { unique: true, partialFilterExpression: { calls: { $gte: 1_000 } } });
  const insert = (operationId: string) => upsert(rows, { operation_id: operationId, open: true }, [{ $set: { calls: 1_000 } }]);
  await insert('first');
  await expect(insert('second')).rejects.toMatchObject({ code: 11_000 });
});
