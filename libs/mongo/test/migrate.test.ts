import { eventually, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { migrate, type Migration } from '../src/index.ts';

const { mongoUrl, database } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const db = client.db(database);

beforeAll(() => client.connect());
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

const counting = (id: string): Migration => ({ id, up: async (target) => void (await target.collection('runs').insertOne({ id })) });
const runs = async () => (await db.collection('runs').find().sort({ _id: 1 }).toArray()).map(({ id }) => id as string);

test('replicas that start at the same time apply each migration once, in order; a later one applies new migrations', async () => {
  const first = [counting('0001-a'), counting('0002-b')];
  await Promise.all([migrate(db, first), migrate(db, first), migrate(db, first)]);
  expect(await runs()).toEqual(['0001-a', '0002-b']);
  await migrate(db, [...first, counting('0003-c')]);
  expect(await runs()).toEqual(['0001-a', '0002-b', '0003-c']);
});

test('a failed migration runs again at the next start, and no later one is skipped', async () => {
  let broken = true;
  const migrations: Migration[] = [
    { id: '0004-breaks', up: () => (broken ? Promise.reject(new Error('cut short')) : Promise.resolve()) },
    counting('0005-after'),
  ];
  await expect(migrate(db, migrations)).rejects.toThrow('cut short');
  broken = false;
  await migrate(db, migrations);
  expect((await runs()).filter((id) => id === '0005-after')).toHaveLength(1);
});

test('a process that lost the lock neither releases the lock of another one nor continues without it', async () => {
  const locks = db.collection<{ _id: string; lock_until: Date; locked_by: string }>('migrations');
  const byAnother = { lock_until: new Date(Date.now() + 3_600_000), locked_by: 'another' };
  const lost: Migration = { id: '0006-lost', up: async () => void (await locks.updateOne({ _id: 'lock' }, { $set: byAnother })) };
  const migrating = migrate(db, [lost, counting('0007-next')]);
  await eventually(async () => (await locks.countDocuments({ _id: '0006-lost' })) === 1);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await locks.findOne({ _id: 'lock' })).toMatchObject(byAnother);
  expect(await runs()).not.toContain('0007-next');

  await locks.updateOne({ _id: 'lock' }, { $set: { lock_until: new Date(0) } });
  await migrating;
  expect((await runs()).filter((id) => id === '0007-next')).toHaveLength(1);
  expect(await locks.findOne({ _id: 'lock' })).toBeNull();
});
