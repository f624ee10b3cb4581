import { transaction } from '@fanfare/mongo';
import { backoffMs, newId } from '@fanfare/runtime';
import { eventually, recordLog, testInfrastructure } from '@fanfare/testing';
import { MongoClient, type Db } from 'mongodb';
import { LeaseLost, leasedRows, startWorker, type Lease, type LeasedRow, type Retry, type Worker } from '../src/index.ts';

interface Job extends LeasedRow {
  organization_id: string;
  run_at?: Date;
  open: boolean;
  result?: string;
}

const LEASE_MS = 60_000;
const HOUR_MS = 3_600_000;
const { mongoUrl, database } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const db = client.db(database);
const jobsOf = (owner: Db) => owner.collection<Job>('jobs');
const jobs = jobsOf(db);
const rows = leasedRows<Job>({ of: jobsOf, due: 'run_at', open: { open: true }, countsAttempts: true });
const workers: Worker[] = [];

beforeAll(async () => {
  await client.connect();
  await jobs.createIndex({ run_at: 1 });
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await jobs.deleteMany({});
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

async function add(organization_id = 'acme', more: Partial<Job> = {}): Promise<string> {
  const _id = newId();
  await jobs.insertOne({ _id, organization_id, run_at: new Date(0), open: true, ...more });
  return _id;
}
const rowOf = (_id: string) => jobs.findOne({ _id });
const isDone = async (id: string) => (await rowOf(id))?.open === false;
const close = ({ row }: Lease<Job>, result = 'done') => rows.write(db, { row, pipeline: [{ $set: { open: false, result } }] });

type Options = Parameters<typeof startWorker<Job>>[0];
function start(work: Options['work'], more: Partial<Options> = {}) {
  const { log, lines } = recordLog();
  const worker = startWorker<Job>({
    ...{ name: 'test', db, log, rows, size: 4, leaseMs: LEASE_MS, idleMs: 20 },
    idsOf: ({ _id }) => ({ job_id: _id }),
    work,
    ...more,
  });
  workers.push(worker);
  return { worker, lines };
}
const retrying = (more: Partial<Retry<Job>> = {}): Retry<Job> => ({
  ...{ attempts: 3, firstDelayMs: 1, maxDelayMs: 2, passes: () => true },
  giveUp: async (lease) => void (await close(lease, 'given up')),
  ...more,
});

/** Work that continues when the test releases it, row by row. */
function blockedWork() {
  const begun: Lease<Job>[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const gateOf = (id: string) => gates.get(id) ?? gates.set(id, Promise.withResolvers()).get(id)!;
  return {
    begun,
    let: (id: string) => gateOf(id).resolve(),
    work: async (lease: Lease<Job>) => {
      begun.push(lease);
      await gateOf(lease.row._id).promise;
      await close(lease);
    },
  };
}

test('two workers share the due rows, and each row is processed once', async () => {
  const ids = new Set(await Promise.all(Array.from({ length: 40 }, () => add())));
  const worked: string[] = [];
  const work = async (lease: Lease<Job>) => {
    worked.push(lease.row._id);
    await close(lease);
  };
  start(work);
  start(work);
  await eventually(async () => (await jobs.countDocuments({ open: true })) === 0);
  expect(worked).toHaveLength(40);
  expect(new Set(worked)).toEqual(ids);
});

test('a worker is woken for a row that its process writes: at once, or when the transaction with the row has ended', async () => {
  const idleMs = HOUR_MS;
  const first = await add();
  start(async (lease) => void (await close(lease)), { idleMs });
  await eventually(() => isDone(first));

  const alone = await add();
  rows.wakeWorkers(db);
  await eventually(() => isDone(alone));

  const ids = await transaction(client, async (session) => {
    const inserted = [newId(), newId()];
    for (const _id of inserted) {
      await jobs.insertOne({ _id, organization_id: 'acme', run_at: new Date(0), open: true }, { session });
      rows.wakeWorkers(db, session);
    }
    return inserted;
  });
  await eventually(async () => (await Promise.all(ids.map(isDone))).every(Boolean));
});

test('a worker that stops aborts its work, and its unfinished rows can be leased at once without counting as an attempt', async () => {
  const id = await add();
  const begun = Promise.withResolvers<void>();
  const { worker } = start(
    ({ signal }) => {
      begun.resolve();
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    },
    { retry: retrying() },
  );
  await begun.promise;
  await worker.stop();
  expect(await rowOf(id)).toMatchObject({ open: true, attempts: 0 });
  start(async (lease) => void (await close(lease)));
  await eventually(() => isDone(id));
});

test('a row that was leased while the process was stopping is released, and its work does not begin', async () => {
  const id = await add();
  const [taking, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const { worker } = start(async () => void runs++, {
    async take() {
      taking.resolve();
      await taken.promise;
      return (await rows.leaseDue(db, LEASE_MS)) ?? HOUR_MS;
    },
  });
  await taking.promise;
  const stopped = worker.stop();
  taken.resolve();
  await stopped;
  expect([runs, (await rowOf(id))?.attempts]).toEqual([0, 0]);
  expect(await rows.leaseDue(db, LEASE_MS)).toMatchObject({ _id: id });
});

test('a row whose process died is leased by another one when the lease has expired, and later writes of the first one fail', async () => {
  const id = await add();
  // The process dies: nothing renews its lease.
  const dead = await rows.leaseDue(db, 200);
  const second = blockedWork();
  start(second.work);
  await eventually(() => second.begun.length === 1);
  await expect(rows.write(db, { row: dead!, pipeline: [{ $set: { result: 'by the first' } }] })).rejects.toThrow(LeaseLost);
  await expect(rows.postpone(db, dead!, 0)).rejects.toThrow(LeaseLost);
  await expect(rows.end(db, dead!)).rejects.toThrow(LeaseLost);
  second.let(id);
  await eventually(() => isDone(id));
  expect(await rowOf(id)).toMatchObject({ result: 'done' });
});

test('work that takes longer than its lease keeps the lease as long as its process lives', async () => {
  const id = await add();
  const long = blockedWork();
  const leaseMs = 6_000;
  start(long.work, { leaseMs });
  await eventually(() => long.begun.length === 1);
  const first = (await rowOf(id))?.run_at as Date;
  await eventually(async () => ((await rowOf(id))?.run_at?.getTime() ?? 0) > first.getTime() + leaseMs);
  expect(await rows.leaseDue(db, LEASE_MS)).toBeNull();
  long.let(id);
  await eventually(() => isDone(id));
  expect(long.begun).toHaveLength(1);
});

test('a process does not lease a row again that it works on, even if the lease has expired, and another process does', async () => {
  const id = await add();
  const long = blockedWork();
  start(long.work, { leaseMs: HOUR_MS });
  await eventually(() => long.begun.length === 1);
  await jobs.updateOne({ _id: id }, { $set: { run_at: new Date(0) } });
  const other = await add();
  await eventually(() => long.begun.length === 2);
  expect(long.begun.map(({ row }) => row._id)).toEqual([id, other]);
  expect([await rows.leaseDue(db, LEASE_MS), await rows.leaseThese(db, [id], LEASE_MS)]).toEqual([null, []]);
  expect(await rows.nextInMs(db)).toBeUndefined();
  // Nobody has taken the lease: what it writes is valid.
  long.let(id);
  await eventually(() => isDone(id));
  expect(await rowOf(id)).toMatchObject({ fence: 1, attempts: 1 });

  await jobs.updateOne({ _id: other }, { $set: { run_at: new Date(0) } });
  const another = client.db(database);
  expect(await rows.leaseThese(another, [other], LEASE_MS)).toMatchObject([{ _id: other, fence: 2 }]);
  // It has lost the lease, and is a process like any other when that of the other process expires.
  await jobs.updateOne({ _id: other }, { $set: { run_at: new Date(0) } });
  await eventually(() => long.begun.length === 3);
  expect(long.begun[2]?.row).toMatchObject({ _id: other, fence: 3 });
  long.let(other);
  await eventually(() => isDone(other));
});

test('work whose lease another process has is aborted, and changes nothing more', async () => {
  const id = await add();
  const lost = Promise.withResolvers<void>();
  const { lines } = start(
    async (lease) => {
      await new Promise((resolve) => lease.signal.addEventListener('abort', resolve));
      lost.resolve();
      throw new Error('aborted');
    },
    { leaseMs: 6_000, retry: retrying() },
  );
  await eventually(async () => ((await rowOf(id))?.fence ?? 0) === 1);
  await jobs.updateOne({ _id: id }, { $set: { fence: 7, run_at: new Date(Date.now() + HOUR_MS) } });
  await lost.promise;
  await eventually(() => lines.find(({ msg }) => String(msg).startsWith('the lease was lost')));
  expect(await rowOf(id)).toMatchObject({ fence: 7, open: true });
});

test('a wrong clock of the process does not change when rows are leased', async () => {
  const later = await add('acme', { run_at: new Date(Date.now() + HOUR_MS) });
  const due = await add();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 72 * HOUR_MS);
  try {
    start(async (lease) => void (await close(lease)));
    await eventually(() => isDone(due));
  } finally {
    clock.mockRestore();
  }
  expect(await isDone(later)).toBe(false);
});

test('a failure is retried; if the retry cannot be written, another process leases the row', async () => {
  const id = await add();
  let runs = 0;
  const own = await new MongoClient(mongoUrl).connect();
  const { lines } = start(
    async () => {
      runs++;
      await own.close(true);
      throw new Error('The database is unavailable.');
    },
    { db: own.db(database), leaseMs: 400, size: 1, idleMs: HOUR_MS, retry: retrying() },
  );
  await eventually(() =>
    lines.find(({ msg }) => msg === 'background work ended unexpectedly; another process takes the row when its lease expires'),
  );
  start(async (lease) => void (await close(lease)), { retry: retrying() });
  await eventually(() => isDone(id));
  expect([runs, (await rowOf(id))?.attempts]).toEqual([1, 2]);
});

test('a value of the fair key has no more than its share, and one without rows in progress goes first', async () => {
  const flood = await Promise.all(Array.from({ length: 6 }, () => add('flood')));
  const long = blockedWork();
  start(long.work, { fair: { by: 'organization_id', most: 2 }, size: 4 });
  await eventually(() => long.begun.length === 2);
  const single = await add('single');
  await eventually(() => long.begun.length === 3);
  expect(long.begun.map(({ row }) => row.organization_id)).toEqual(['flood', 'flood', 'single']);
  for (const id of [...flood, single]) long.let(id);
  await eventually(async () => (await jobs.countDocuments({ open: true })) === 0);
});

test('a row that always fails is given up after its last attempt, with growing delays', async () => {
  const id = await add();
  let runs = 0;
  const fail = async () => {
    runs++;
    throw new Error('Never.');
  };
  const { lines } = start(fail, { retry: retrying({ attempts: 4 }) });
  await eventually(() => isDone(id));
  expect([runs, (await rowOf(id))?.result]).toEqual([4, 'given up']);
  expect(lines.filter(({ msg }) => msg === 'background work failed; retrying').map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  expect(backoffMs(2, 1, 2)).toBeLessThanOrEqual(2);
});

test('a row that kills every process that leases it is given up without another attempt', async () => {
  const id = await add();
  for (let death = 0; death < 3; death++) {
    await rows.leaseDue(db, LEASE_MS);
    await jobs.updateOne({ _id: id }, { $set: { run_at: new Date(0) } });
  }
  let runs = 0;
  start(async () => void runs++, { retry: retrying() });
  await eventually(() => isDone(id));
  expect([runs, (await rowOf(id))?.result]).toEqual([0, 'given up']);
});

test('a permanent failure is given up at once', async () => {
  const id = await add();
  start(() => Promise.reject(new Error('Rejected.')), { retry: retrying({ passes: () => false }) });
  await eventually(() => isDone(id));
  expect(await rowOf(id)).toMatchObject({ attempts: 1, result: 'given up' });
});

test('a row without a due time is never leased', async () => {
  const id = newId();
  await jobs.insertOne({ _id: id, organization_id: 'acme', open: true });
  expect(await rows.leaseDue(db, LEASE_MS)).toBeNull();
  expect(await rows.nextInMs(db)).toBeUndefined();
});
