import { connectMongo, migrate, transaction, type Mongo } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import { testInfrastructure } from '@fanfare/testing';
import fc from 'fast-check';
import type { ClientSession, Document } from 'mongodb';
import { migrations } from '../../src/migrations.ts';
import { findFirstPostIds, findPositions, findPostIds, insertPostId, removePostId } from '../../src/queues/store/queue-blocks.ts';

let mongo: Mongo;
beforeAll(async () => {
  const { mongoUrl, database } = testInfrastructure();
  mongo = await connectMongo({ url: mongoUrl, database, service: 'test' });
  await migrate(mongo.db, migrations);
});
afterAll(async () => {
  await mongo.db.dropDatabase();
  await mongo.close();
});

const blocks = () =>
  mongo.db.collection<{ _id: string; queue_id: string; order: number; count: number; post_ids: string[] }>('queue_blocks');
const together = <T>(work: (session: ClientSession) => Promise<T>) => transaction(mongo.client, work);
const insert = (queue: string, id: string, position: number) =>
  together((session) => insertPostId(mongo.db, queue, id, position, newId(), session));
const remove = (queue: string, id: string) => together((session) => removePostId(mongo.db, queue, id, session));
const orderOf = (queue: string) => findPostIds(mongo.db, queue, 1, 100_000);
/** A queue with full blocks. */
async function aQueue(count: number): Promise<{ queue: string; ids: string[] }> {
  const queue = newId();
  const ids = Array.from({ length: count }, () => newId());
  const rows = Array.from({ length: Math.ceil(count / 128) }, (_, order) => ids.slice(order * 128, (order + 1) * 128)).map(
    (post_ids, order) => ({
      _id: newId(),
      queue_id: queue,
      order,
      count: post_ids.length,
      post_ids,
    }),
  );
  if (rows.length > 0) await blocks().insertMany(rows);
  return { queue, ids };
}

const place = fc.double({ min: 0, max: 1, noNaN: true });
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('insert' as const), place }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), place, to: place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('take' as const) }) },
);

test('a queue is a list, whatever is inserted, moved and removed in any order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 1, 127, 128, 300),
      fc.array(operation, { minLength: 30, maxLength: 60 }),
      async (count, operations) => {
        const { queue, ids: model } = await aQueue(count);
        const at = (share: number, length: number) => Math.min(length - 1, Math.floor(share * length));
        for (const one of operations) {
          if (one.kind === 'insert') {
            const [id, index] = [newId(), at(one.place, model.length + 1)];
            await insert(queue, id, index + 1);
            model.splice(index, 0, id);
          } else if (model.length > 0) {
            const index = one.kind === 'take' ? 0 : at(one.place, model.length);
            const [id = ''] = model.splice(index, 1);
            if (one.kind === 'take') expect(await findFirstPostIds(mongo.db, queue, 1)).toEqual([id]);
            expect(await remove(queue, id)).toBe(true);
            if (one.kind !== 'move') continue;
            const to = at(one.to, model.length + 1);
            await insert(queue, id, to + 1);
            model.splice(to, 0, id);
          }
        }
        expect(await orderOf(queue)).toEqual(model);
        const positions = await findPositions(mongo.db, model);
        expect(model.map((id) => positions.get(id)?.position)).toEqual(model.map((_, index) => index + 1));
        const [from, limit] = [Math.ceil(model.length / 3) + 1, 40];
        expect(await findPostIds(mongo.db, queue, from, limit)).toEqual(model.slice(from - 1, from - 1 + limit));
        const stored = await blocks().find({ queue_id: queue }).toArray();
        for (const { count: length, post_ids } of stored) {
          expect(length).toBe(post_ids.length);
          expect([length > 0, length <= 128]).toEqual([true, true]);
        }
      },
    ),
    { numRuns: 12 },
  );
});

test('many posts at one place, and blocks that become few, leave no trace', async () => {
  const { queue, ids } = await aQueue(256);
  const [first, second] = await blocks().find({ queue_id: queue }).sort({ order: 1 }).toArray();
  // As after thousands of insertions between these two blocks.
  await blocks().updateOne({ _id: second!._id }, { $set: { order: first!.order + Number.MIN_VALUE } });
  const between = newId();
  await insert(queue, between, 100);
  const model = ids.toSpliced(99, 0, between);
  expect(await orderOf(queue)).toEqual(model);
  for (const id of model.slice(10)) await remove(queue, id);
  expect(await orderOf(queue)).toEqual(model.slice(0, 10));
  expect(await blocks().countDocuments({ queue_id: queue })).toBe(1);
});

/** How many documents and index keys MongoDB reads for the queries of the blocks that `work` makes. */
async function cost(work: () => Promise<unknown>): Promise<{ documents: number; keys: number }> {
  const { db } = mongo;
  await db.command({ profile: 2 });
  const from = new Date();
  await work();
  await db.command({ profile: 0 });
  const seen = await db
    .collection('system.profile')
    .find({
      ns: `${db.databaseName}.queue_blocks`,
      ts: { $gte: new Date(from.getTime() - 1_000) },
      op: { $in: ['query', 'update', 'insert', 'remove', 'command'] },
    })
    .toArray();
  await db.collection('system.profile').drop();
  const sum = (field: string) => seen.reduce((total, one: Document) => total + ((one[field] as number | undefined) ?? 0), 0);
  return { documents: sum('docsExamined'), keys: sum('keysExamined') };
}

test('a page, a position and a move read as many blocks of 10,000 posts as of ten', async () => {
  const [small, large] = [await aQueue(10), await aQueue(10_000)];
  const works = ({ queue, ids }: typeof small) => {
    const some = ids[Math.floor(ids.length / 2)] ?? '';
    return [
      () => findPostIds(mongo.db, queue, Math.floor(ids.length / 2), 100),
      () => findPositions(mongo.db, [some]),
      async () => {
        await remove(queue, some);
        await insert(queue, some, 1);
      },
    ];
  };
  for (const [index, work] of works(small).entries()) {
    const [few, many] = [await cost(work), await cost(works(large)[index]!)];
    expect(few.documents).toBeGreaterThan(0);
    // A block is split, or a page begins in one block and ends in the next.
    expect(many.documents).toBeLessThanOrEqual(few.documents + 2);
    // The counts of all blocks are read from the index.
    expect(many.keys).toBeLessThanOrEqual(few.keys + 3 * Math.ceil(10_000 / 128));
  }
});
