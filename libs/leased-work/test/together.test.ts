import { newId } from '@fanfare/runtime';
import { eventually, testInfrastructure } from '@fanfare/testing';
import { Collection, MongoBulkWriteError, MongoClient, MongoWriteConcernError, type BulkWriteResult } from 'mongodb';
import { LeaseLost, leasedRows, type LeasedRow } from '../src/index.ts';

interface Job extends LeasedRow {
  run_at: Date;
  text?: string;
}

const { mongoUrl, database } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const db = client.db(database);
const jobs = db.collection<Job>('jobs');
const rows = leasedRows<Job>({ of: (owner) => owner.collection<Job>('jobs'), due: 'run_at' });

beforeAll(() => client.connect());
afterEach(() => jobs.deleteMany({}));
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

const leased = async (count: number): Promise<Job[]> => {
  const ids = Array.from({ length: count }, () => newId());
  await jobs.insertMany(ids.map((_id) => ({ _id, run_at: new Date(0) })));
  return rows.leaseThese(db, ids, 60_000);
};
const texts = async () => (await jobs.find().sort({ _id: 1 }).toArray()).map(({ text }) => text);
const saying = (text: string) => [{ $set: { text: { $literal: text } } }];

test('due rows are leased together, each by one process', async () => {
  const ids = Array.from({ length: 20 }, () => newId());
  await jobs.insertMany(ids.map((_id, index) => ({ _id, run_at: index === 0 ? new Date(Date.now() + 3_600_000) : new Date(0) })));
  const both = await Promise.all([rows.leaseThese(db, ids, 60_000), rows.leaseThese(db, ids, 60_000)]);
  const taken = both.flat().map(({ _id }) => _id);
  expect(taken.sort()).toEqual(ids.slice(1).sort());
});

test('concurrent writes reach each row, and a row whose lease is lost does not affect the others', async () => {
  const ours = await leased(5);
  await jobs.updateOne({ _id: ours[2]!._id }, { $inc: { fence: 1 } });
  const results = await Promise.allSettled(ours.map((row, index) => rows.write(db, { row, pipeline: saying(`$${index}`) })));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect((results[2] as PromiseRejectedResult).reason).toBeInstanceOf(LeaseLost);
  expect((results[4] as PromiseFulfilledResult<Job>).value.text).toBe('$4');
});

test('of the writes in a transaction, all are written or none', async () => {
  const ours = await leased(3);
  const writeAll = () =>
    client.withSession((session) =>
      session.withTransaction(() =>
        rows.writeAll(
          db,
          ours.map((row) => ({ row, pipeline: saying('all') })),
          session,
        ),
      ),
    );
  await jobs.updateOne({ _id: ours[1]!._id }, { $inc: { fence: 1 } });
  await expect(writeAll()).rejects.toThrow(LeaseLost);
  expect(await texts()).toEqual([undefined, undefined, undefined]);
  await jobs.updateOne({ _id: ours[1]!._id }, { $inc: { fence: -1 } });
  expect(await writeAll()).toHaveLength(3);
  expect(await texts()).toEqual(['all', 'all', 'all']);
});

describe('while a transaction that was not committed has written a row, as that of a killed process', () => {
  const locking = async (work: (locked: Job, free: Job[]) => Promise<void>): Promise<void> => {
    const ids = Array.from({ length: 3 }, () => newId());
    await jobs.insertMany(ids.map((_id) => ({ _id, run_at: new Date(0) })));
    const [locked, ...free] = await jobs.find().sort({ _id: 1 }).toArray();
    const session = client.startSession();
    session.startTransaction();
    await jobs.updateOne({ _id: locked!._id }, { $set: { text: 'Not committed' } }, { session });
    await work(locked!, free);
    // If the others had waited, MongoDB would have ended the transaction.
    await session.commitTransaction();
    await session.endSession();
    await eventually(async () => (await rows.leaseThese(db, [locked!._id], 60_000)).length === 1);
  };

  test('the others are leased together', () =>
    locking(async (locked, free) => {
      const leased = await rows.leaseThese(db, [locked._id, ...free.map(({ _id }) => _id)], 60_000);
      expect(leased.map(({ _id }) => _id).sort()).toEqual(free.map(({ _id }) => _id).sort());
    }));

  test('the others are leased one after the other', () =>
    locking(async (_locked, free) => {
      const leased = [await rows.leaseDue(db, 60_000), await rows.leaseDue(db, 60_000)];
      expect(leased.map((row) => row?._id)).toEqual(free.map(({ _id }) => _id));
      expect(await rows.leaseDue(db, 60_000)).toBeNull();
    }));
});

describe('when the database writes a lease and does not confirm it in time', () => {
  afterEach(() => jest.restoreAllMocks());
  /** What MongoDB 6 responds when `maxTimeMS` ends while a write waits for the majority. */
  const late = { code: 50, codeName: 'MaxTimeMSExpired', errmsg: 'operation exceeded time limit' };
  /** The next call of the method writes as always, and then gets a timeout. */
  const isLate = (method: 'findOneAndUpdate' | 'bulkWrite', respond: (result: unknown) => Error | Promise<Error>) => {
    const real = Collection.prototype[method] as (...args: unknown[]) => Promise<unknown>;
    jest.spyOn(Collection.prototype, method).mockImplementationOnce(async function (this: Collection, ...args: unknown[]) {
      throw await respond(await real.apply(this, args));
    } as never);
  };
  const notConfirmed = (value: unknown) => new MongoWriteConcernError({ ok: 1, value, writeConcernError: late });
  const due = async (): Promise<string> => {
    const _id = newId();
    await jobs.insertOne({ _id, run_at: new Date(0) });
    return _id;
  };

  test('this process has the lease', async () => {
    const _id = await due();
    isLate('findOneAndUpdate', notConfirmed);
    const row = (await rows.leaseDue(db, 60_000)) as Job;
    expect(await rows.write(db, { row, pipeline: saying('ours') })).toMatchObject({ _id, text: 'ours' });
  });

  test('a lease that a failover rolled back is taken again', async () => {
    const _id = await due();
    isLate('findOneAndUpdate', async (value) => {
      await jobs.replaceOne({ _id }, { run_at: new Date(0) });
      return notConfirmed(value);
    });
    const row = (await rows.leaseDue(db, 60_000)) as Job;
    expect(await rows.write(db, { row, pipeline: saying('ours') })).toMatchObject({ _id, text: 'ours' });
  });

  test('this process has the leases that it took together', async () => {
    const ids = [await due(), await due()];
    isLate(
      'bulkWrite',
      (result) => new MongoBulkWriteError({ message: late.errmsg, code: late.code, writeErrors: [] }, result as BulkWriteResult),
    );
    const taken = await rows.leaseThese(db, ids, 60_000);
    expect(taken.map(({ _id }) => _id).sort()).toEqual(ids.sort());
  });
});
