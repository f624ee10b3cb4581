import { testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { countDueDeliveries, createDueIndex } from '../../src/deliveries/store/due-deliveries.ts';

const { mongoUrl, database } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const db = client.db(database);
beforeAll(async () => {
  await client.connect();
  await createDueIndex(db);
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

const LEASE_MS = 10_000;
const after = (seconds: number) => new Date(Date.now() + seconds * 1_000);
const nothing = { everything: false, platforms: [], organizations: [], integrations: [] };

test('publishers scale by deliveries that are due or in progress: not by those that wait for a retry or a quota, or are paused', async () => {
  const row = (_id: string, run_at: Date, more: object = {}) => ({
    ...{ _id, run_at, open: true, organization_id: 'o1', integration_id: 'i1', platform: 'x', ...more },
  });
  await db.collection<{ _id: string }>('deliveries').insertMany([
    row('due', after(-60)),
    // Leased: due again when its lease ends.
    row('in-progress', after(8)),
    row('waits-for-a-quota', after(3_600)),
    row('of-another-platform', after(-60), { platform: 'youtube' }),
    row('of-another-organization', after(-60), { organization_id: 'o2' }),
    row('ended', after(-60), { open: false }),
  ]);
  const count = (paused: object) => countDueDeliveries(db, { ...nothing, ...paused }, LEASE_MS);
  expect(await count({})).toBe(4);
  expect(await count({ platforms: ['youtube'] })).toBe(3);
  expect(await count({ platforms: ['youtube'], organizations: ['o2'] })).toBe(2);
  expect(await count({ integrations: ['i1'] })).toBe(0);
  expect(await count({ everything: true })).toBe(0);
});
