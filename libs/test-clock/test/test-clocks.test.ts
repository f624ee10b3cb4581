import { aheadMs, newId } from '@fanfare/runtime';
import { eventually, recordLog, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { putClock, startTestClocks, type ClockedWork, type TestClocks } from '../src/index.ts';

const DAY_MS = 24 * 3_600_000;
const { mongoUrl, database } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const db = client.db(database);
const started: TestClocks[] = [];

beforeAll(() => client.connect());
afterEach(() => Promise.all(started.splice(0).map((one) => one.stop())));
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

async function start(options: Partial<Parameters<typeof startTestClocks>[0]> = {}) {
  const clocks = await startTestClocks({ db, log: recordLog().log, work: [], ...options });
  started.push(clocks);
  return clocks;
}
const callOf = (organizationId: string) => ({ metadata: { organizationId } });
const work = (name: string, left: Awaited<ReturnType<ClockedWork['left']>>, woken: string[] = []): ClockedWork => ({
  name,
  left: async () => left,
  wake: async (organizationId, isAll) => void woken.push(`${name} ${organizationId} ${isAll}`),
});
const noEvents = { events: [], settledEventIds: [], despiteOpenWork: false };

test('a process knows the clocks that were moved before it started, and those that another one moves', async () => {
  const [before, later] = [newId(), newId()];
  await putClock(db, before, DAY_MS);
  await start();
  expect(aheadMs(before)).toBe(DAY_MS);
  await putClock(db, later, DAY_MS);
  await eventually(() => aheadMs(later) === DAY_MS);
  await putClock(db, before, 2 * DAY_MS);
  await eventually(() => aheadMs(before) === 2 * DAY_MS);
});

test('an advance wakes what is due, is stored with all work, and does not go back if it is repeated', async () => {
  const organizationId = newId();
  const woken: string[] = [];
  const begun: string[] = [];
  const { handlers } = await start({ work: [work('posts', { isOpen: false }, woken)], begin: async (id) => void begun.push(id) });
  const advance = (ahead: number, allWork = true) => handlers.advanceTestClock({ aheadMs: ahead, allWork }, callOf(organizationId));
  const stored = async () =>
    (await db.collection<{ _id: string; ahead_ms: number }>('test_clocks').findOne({ _id: organizationId }))?.ahead_ms;

  await advance(DAY_MS);
  expect(woken).toContain(`posts ${organizationId} true`);
  await advance(3 * DAY_MS, false);
  expect(woken).toContain(`posts ${organizationId} false`);
  expect(aheadMs(organizationId)).toBe(3 * DAY_MS);
  expect(await stored()).toBe(DAY_MS);
  await advance(4 * DAY_MS);
  await advance(2 * DAY_MS);
  expect(await stored()).toBe(4 * DAY_MS);
  expect(aheadMs(organizationId)).toBe(4 * DAY_MS);
  expect(begun).toEqual([organizationId]);
  await expect(handlers.advanceTestClock({ aheadMs: 1, allWork: true }, callOf(''))).rejects.toMatchObject({ code: 'invalid_request' });
});

test('only what is open is returned, unless more is wanted', async () => {
  const organizationId = newId();
  const at = (day: number) => new Date(day * DAY_MS);
  const { handlers } = await start({
    work: [
      work('posts', { isOpen: false, stopAt: at(3) }),
      work('deliveries', { isOpen: true, stopAt: at(2) }),
      work('snapshots', { isOpen: true, dueAt: at(1) }),
    ],
    events: { emitted: async () => [{ id: 'e', topic: 't' }], forget: async () => undefined, unhandled: async () => ['u'] },
  });
  const read = (despiteOpenWork: boolean) => handlers.getTestClockWork({ ...noEvents, despiteOpenWork }, callOf(organizationId));
  expect(await read(false)).toMatchObject({ openWork: ['deliveries'], emitted: [], unhandledEventIds: [] });
  expect(await read(true)).toEqual({
    ...{ openWork: ['deliveries', 'snapshots'], nextStopAt: at(2), nextDueAt: at(1) },
    ...{ emitted: [{ id: 'e', topic: 't' }], unhandledEventIds: ['u'] },
  });
});
