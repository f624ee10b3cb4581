import { newId } from '@fanfare/runtime';
import { recordLog, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { deleteSome, eraser, findClosed, findErased, isClosed, lockClosed, NotYet, ofBusinesses } from '../src/index.ts';
import { putClosure } from '../src/store/closures.ts';

interface Item {
  _id: string;
  organization_id: string;
  business_id: string;
}

const { mongoUrl, database } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const db = client.db(database);
const items = db.collection<Item>('items');
const { log } = recordLog();

beforeAll(() => client.connect());
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

const organizationId = newId();
const put = async (businessId: string, count: number) => {
  await items.insertMany(Array.from({ length: count }, () => ({ _id: newId(), organization_id: organizationId, business_id: businessId })));
};
const erasing = (...businessIds: string[]) => ({ organizationId, businessIds, wholeOrganization: false });

test('erases in batches, call by call, and only what was requested', async () => {
  const [gone, kept] = [newId(), newId()];
  await put(gone, 12);
  await put(kept, 3);
  const steps = { items: (erased: ReturnType<typeof erasing>, limit: number) => deleteSome(items, ofBusinesses(erased), limit) };
  // No time at all: each call ends after one batch.
  const erase = eraser(db, steps, { callMs: 0, batch: 5 });
  const counts: number[] = [];
  for (;;) {
    const { done, erased } = await erase(erasing(gone), { log });
    counts.push(erased);
    if (done) break;
  }
  expect(counts).toEqual([5, 5, 2, 0]);
  expect(await items.countDocuments({ business_id: gone })).toBe(0);
  expect(await items.countDocuments({ business_id: kept })).toBe(3);
  expect(await findErased(db, [gone, kept, organizationId])).toEqual(new Set([gone]));
});

test('a step that has to wait is tried again, and later steps wait for it', async () => {
  const business = newId();
  let open = 2;
  let laterSteps = 0;
  const erase = eraser(db, {
    deliveries: async () => {
      if (open > 0) throw new NotYet(`${open} deliveries`);
      return 0;
    },
    rest: async () => (++laterSteps, 0),
  });
  expect(await erase(erasing(business), { log })).toEqual({ done: false, erased: 0, waitingFor: '2 deliveries' });
  expect(laterSteps).toBe(0);
  open = 0;
  expect(await erase(erasing(business), { log })).toEqual({ done: true, erased: 0, waitingFor: '' });
});

test('a closure that was overtaken changes nothing', async () => {
  const business = { organization_id: organizationId, business_id: newId() };
  const set = (closed: boolean, revision: number) => putClosure(db, { organizationId, businessId: business.business_id, closed, revision });
  expect(await set(true, 1)).toBe(true);
  expect(isClosed(await findClosed(db), business)).toBe(true);
  expect(await set(false, 2)).toBe(true);
  expect(await set(true, 1)).toBe(false);
  expect(isClosed(await findClosed(db), business)).toBe(false);
  // A repeat of the newest one changes nothing, and is no error.
  expect(await set(false, 2)).toBe(true);
});

test('what a transaction found closed is not opened before it ends', async () => {
  const business = { organization_id: organizationId, business_id: newId() };
  const closure = { organizationId, businessId: business.business_id };
  await putClosure(db, { ...closure, closed: true, revision: 1 });
  await client.withSession(async (session) => {
    session.startTransaction();
    expect(isClosed(await lockClosed(db, [business], session), business)).toBe(true);
    const opened = putClosure(db, { ...closure, closed: false, revision: 2 });
    await session.commitTransaction();
    await opened;
  });
  expect(isClosed(await findClosed(db), business)).toBe(false);
});
