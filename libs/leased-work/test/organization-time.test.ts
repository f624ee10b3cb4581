import { learnClock, newId, now } from '@fanfare/runtime';
import { testInfrastructure } from '@fanfare/testing';
import { MongoClient, type Db } from 'mongodb';
import { leasedRows, type LeasedRow } from '../src/index.ts';

interface Job extends LeasedRow {
  organization_id: string;
  run_at?: Date;
}

const LEASE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const { mongoUrl, database } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const db = client.db(database);
const jobsOf = (owner: Db) => owner.collection<Job>('jobs');
const jobs = jobsOf(db);
const rows = leasedRows<Job>({ of: jobsOf, due: 'run_at', organizationTime: true });

beforeAll(() => client.connect());
afterEach(() => jobs.deleteMany({}));
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

/** An organization whose test clock is a day ahead. */
function anOrganization(): string {
  const id = newId();
  learnClock(id, DAY_MS);
  return id;
}
async function add(organization_id: string, run_at: Date): Promise<string> {
  const _id = newId();
  await jobs.insertOne({ _id, organization_id, run_at });
  return _id;
}
const isDue = async (id: string) => (await rows.leaseThese(db, [id], LEASE_MS)).length === 1;
const inMs = (organizationId: string, ms: number) => new Date(now(organizationId).getTime() + ms);

test('a row is due when the clock of its organization has come to its time, and those of others are not', async () => {
  const [moved, other] = [anOrganization(), newId()];
  const [past, future, ofOther] = [
    await add(moved, inMs(moved, -HOUR_MS)),
    await add(moved, inMs(moved, HOUR_MS)),
    await add(other, inMs(other, HOUR_MS)),
  ];
  expect(await isDue(past)).toBe(false);
  expect(await rows.wake(db, moved)).toBe(1);
  expect(await isDue(past)).toBe(true);
  expect(await isDue(future)).toBe(false);

  learnClock(moved, DAY_MS + 2 * HOUR_MS);
  expect(await rows.wake(db, moved)).toBe(1);
  expect(await isDue(future)).toBe(true);
  expect(await rows.wake(db, other)).toBe(0);
  expect(await isDue(ofOther)).toBe(false);
});

test('a row that is postponed waits by the clock of its organization', async () => {
  const moved = anOrganization();
  const id = await add(moved, new Date());
  const [row] = await rows.leaseThese(db, [id], LEASE_MS);
  await rows.postpone(db, row!, HOUR_MS);
  expect((await jobs.findOne({ _id: id }))!.run_at!.getTime()).toBeGreaterThan(Date.now() + DAY_MS);
  expect(await rows.wake(db, moved)).toBe(0);
  learnClock(moved, DAY_MS + 2 * HOUR_MS);
  expect(await rows.wake(db, moved)).toBe(1);
  expect(await isDue(id)).toBe(true);
});

test('a clock ends neither a lease nor a wait in real time', async () => {
  const moved = anOrganization();
  const [leased, paused] = [await add(moved, new Date()), await add(moved, new Date())];
  const [held, waiting] = [(await rows.leaseThese(db, [leased], LEASE_MS))[0]!, (await rows.leaseThese(db, [paused], LEASE_MS))[0]!];
  await rows.postponeInRealTime(db, waiting, HOUR_MS);
  expect(await rows.wake(db, moved)).toBe(0);
  expect(await rows.renew(db, held, LEASE_MS)).toBe(true);
  expect(await rows.wake(db, moved)).toBe(0);
  expect(await isDue(leased)).toBe(false);
  expect(await isDue(paused)).toBe(false);
  // A row that is given back is due at once, whatever the clock.
  await rows.giveBack(db, held);
  expect(await isDue(leased)).toBe(true);
});

test('work is open while a row is due, leased or paused, and otherwise says when the next one is due', async () => {
  const moved = anOrganization();
  expect(await rows.workOf(db, moved)).toEqual({ isOpen: false, nextAt: undefined });
  const at = inMs(moved, HOUR_MS);
  const id = await add(moved, at);
  await add(newId(), new Date(0));
  expect(await rows.workOf(db, moved)).toEqual({ isOpen: false, nextAt: at });

  // The clock of the database may be behind this one.
  const dueNow = await add(moved, new Date(Date.now() - 1_000));
  expect(await rows.workOf(db, moved)).toEqual({ isOpen: true, nextAt: at });
  const [row] = await rows.leaseThese(db, [dueNow], LEASE_MS);
  expect((await rows.workOf(db, moved)).isOpen).toBe(true);
  await rows.postponeInRealTime(db, row!, HOUR_MS);
  expect((await rows.workOf(db, moved)).isOpen).toBe(true);
  await jobs.deleteOne({ _id: dueNow });
  // Its time has come, but nothing has made it due yet.
  learnClock(moved, DAY_MS + 2 * HOUR_MS);
  expect(await rows.workOf(db, moved)).toEqual({ isOpen: false, nextAt: at });
  await rows.wake(db, moved);
  expect((await rows.workOf(db, moved)).isOpen).toBe(true);
  expect(await isDue(id)).toBe(true);
});

test('a process that leases a row learns the clock that made it due', async () => {
  const unknown = newId();
  const _id = newId();
  await jobs.insertOne({ _id, organization_id: unknown, run_at: new Date(), clock_ms: DAY_MS });
  await rows.leaseDue(db, LEASE_MS, { organization_id: unknown });
  expect(now(unknown).getTime()).toBeGreaterThan(Date.now() + DAY_MS - HOUR_MS);
});
