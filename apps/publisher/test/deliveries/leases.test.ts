import { LeaseLost } from '@fanfare/leased-work';
import { connectMongo, migrate, transaction, type Mongo } from '@fanfare/mongo';
import { currentMs, newId } from '@fanfare/runtime';
import { eventually, testInfrastructure } from '@fanfare/testing';
import type { DeliveryDocument } from '../../src/deliveries/delivery.ts';
import {
  beginCommit,
  createAccountIndexes,
  deliveryRows,
  insertDeliveries,
  isPublishIdTaken,
  releasing,
  saveDelivery,
} from '../../src/deliveries/store/deliveries.ts';
import type { Except } from '../../src/concurrency/slots.ts';
import { findDueDeliveries } from '../../src/deliveries/store/due-deliveries.ts';
import { findOldestDue } from '../../src/deliveries/store/oldest-due.ts';
import { findWaitingFor } from '../../src/deliveries/store/wake-deliveries.ts';
import type { IntegrationDocument } from '../../src/accounts/store/integrations.ts';
import { migrations } from '../../src/migrations.ts';
import { findDueRestored } from '../../src/restore/store/restored-deliveries.ts';
import { lockForRefresh, unlockRefresh } from '../../src/accounts/store/token-checks.ts';

const NOBODY_FULL = { organizations: [], integrations: [], atShare: [] };
const A_MINUTE = 60_000;

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
beforeEach(async () => void (await mongo.db.collection('deliveries').deleteMany({})));

const aDelivery = (more: Partial<DeliveryDocument> = {}): Omit<DeliveryDocument, 'run_at'> => ({
  _id: newId(),
  organization_id: newId(),
  business_id: newId(),
  post_id: newId(),
  publication_id: newId(),
  integration_id: newId(),
  platform: 'x',
  flow_id: 'flow',
  created_at: new Date(),
  updated_at: new Date(),
  due_at: new Date(),
  revision: 0,
  status: 'DELIVERY_STATUS_PENDING',
  open: true,
  content: { caption: '$caption', media_ids: [] },
  state: {},
  fence: 0,
  attempts: 0,
  failures: 0,
  warnings: [],
  ...more,
});
const insert = (...documents: Omit<DeliveryDocument, 'run_at'>[]) =>
  transaction(mongo.client, (session) => insertDeliveries(mongo.db, documents, session));
/** Like the dispatcher: leases the first due row that no other process leases first. */
async function lease(leaseMs = A_MINUTE, full: Omit<Except, 'platforms'> = NOBODY_FULL): Promise<DeliveryDocument | undefined> {
  for (const { _id } of await findDueDeliveries(mongo.db, { platforms: [], ...full }, 100)) {
    const [leased] = await deliveryRows.leaseThese(mongo.db, [_id], leaseMs);
    if (leased) return leased;
  }
  return undefined;
}
const taken = async (leaseMs = A_MINUTE) => {
  const leased = await lease(leaseMs);
  if (!leased) throw new Error('Nothing is due.');
  return leased;
};
/**
 * Rows are inserted with this process's clock, which may be some milliseconds behind the database's. Later rows are inserted when both have advanced.
 */
async function afterwards({ _id }: { _id: string }): Promise<void> {
  const before = await mongo.db.collection<DeliveryDocument>('deliveries').findOne({ _id });
  if (!before) throw new Error('There is no such row.');
  await eventually(() => currentMs() > before.run_at.getTime());
}
/** Leased by a process whose lease expired, and then by another one. */
async function takenOver() {
  await insert(aDelivery());
  const former = await taken(1);
  const holder = await eventually(() => lease());
  return { former, holder };
}

test('a delivery is leased once, by however many processes at the same time, and again when the lease has expired', async () => {
  await insert(aDelivery());
  const leased = await Promise.all(Array.from({ length: 20 }, () => lease()));
  expect(leased.filter((one) => one !== undefined)).toHaveLength(1);
  expect(await lease()).toBeUndefined();
  await mongo.db.collection('deliveries').updateMany({}, { $set: { run_at: new Date(0) } });
  expect(await lease()).toBeDefined();
});

test('no more restored deliveries are found than there are free slots', async () => {
  const [one, two] = [0, 0].map(() => aDelivery({ restored: { since: new Date(0), result: 'checking' } }));
  await insert(one!, two!);
  await mongo.db.collection('deliveries').updateMany({}, { $set: { run_at: new Date(0) } });
  expect(await findDueRestored(mongo.db, 0)).toEqual([]);
  expect(await findDueRestored(mongo.db, 1)).toHaveLength(1);
  expect((await findDueRestored(mongo.db, 9)).sort()).toEqual([one!._id, two!._id].sort());
});

const giveBack = (leased: DeliveryDocument, inMs: number) => deliveryRows.write(mongo.db, releasing(leased, { inMs }, { change: {} }));

test.each<[string, (former: DeliveryDocument) => Promise<unknown>]>([
  ['write', (former) => saveDelivery(mongo.db, former, { failures: 9 })],
  ['release it', (former) => giveBack(former, 0)],
  ['begin a commit', (former) => beginCommit(mongo.db, former, { timeoutMs: 1_000, settleMs: 1_000, fingerprint: 'f' })],
  [
    'release it after a commit',
    (former) => deliveryRows.write(mongo.db, releasing(former, { inMs: 1_000 }, { change: {}, settlesCommit: true })),
  ],
])('a process that lost the lease cannot %s, and its attempt changes nothing', async (_what, attempt) => {
  const { former, holder } = await takenOver();
  await expect(attempt(former)).rejects.toThrow(LeaseLost);
  expect(await mongo.db.collection<DeliveryDocument>('deliveries').findOne({ _id: holder._id })).toEqual(holder);
});

test('batched writes are each checked against their own lease, and a rejected one does not affect the others', async () => {
  const account_id = newId();
  const documents = Array.from({ length: 12 }, () => aDelivery({ account_id }));
  await insert(...documents);
  const leased = await deliveryRows.leaseThese(
    mongo.db,
    documents.map(({ _id }) => _id),
    A_MINUTE,
  );
  expect(leased).toHaveLength(12);
  const [first, lost, rejected, ...others] = leased;
  if (!first || !lost || !rejected) throw new Error('Not all are leased.');
  await saveDelivery(mongo.db, first, { publish_id: '16' });
  await mongo.db.collection<DeliveryDocument>('deliveries').updateOne({ _id: lost._id }, { $inc: { fence: 1 } });
  const [alone, ofLost, ofRejected, ...ofOthers] = await Promise.allSettled([
    saveDelivery(mongo.db, first, { failures: 1 }),
    saveDelivery(mongo.db, lost, { failures: 1 }),
    saveDelivery(mongo.db, rejected, { publish_id: '16' }),
    ...others.map((one) => saveDelivery(mongo.db, one, { failures: 1, publish_id: `of ${one._id}` })),
    deliveryRows.renew(mongo.db, first, A_MINUTE),
  ]);
  expect(alone).toMatchObject({ status: 'fulfilled', value: { _id: first._id, failures: 1 } });
  expect(ofLost).toMatchObject({ status: 'rejected', reason: expect.any(LeaseLost) });
  expect(isPublishIdTaken((ofRejected as PromiseRejectedResult).reason)).toBe(true);
  for (const [index, { _id }] of others.entries())
    expect(ofOthers[index]).toMatchObject({ status: 'fulfilled', value: { _id, failures: 1, publish_id: `of ${_id}` } });
  expect(await mongo.db.collection<DeliveryDocument>('deliveries').findOne({ _id: lost._id })).toMatchObject({ failures: 0 });
});

test('a process that released the lease can neither write nor renew it with a request that was in flight', async () => {
  await insert(aDelivery());
  const former = await taken();
  await giveBack(former, A_MINUTE);
  await expect(saveDelivery(mongo.db, former, { failures: 9 })).rejects.toThrow(LeaseLost);
  expect(await deliveryRows.renew(mongo.db, former, 1)).toBe(false);
  expect(await lease()).toBeUndefined();
});

test('an ended delivery is neither leased nor written', async () => {
  await insert(aDelivery());
  const leased = await taken(1);
  await saveDelivery(mongo.db, leased, { open: false });
  await expect(saveDelivery(mongo.db, leased, { failures: 1 })).rejects.toThrow(LeaseLost);
  expect(await deliveryRows.renew(mongo.db, leased, 1)).toBe(false);
  expect(await lease()).toBeUndefined();
});

test('the write-ahead of a commit states until when it may be sent, and from when reading is meaningful', async () => {
  await insert(aDelivery());
  const { commit, attempts } = await beginCommit(mongo.db, await taken(), { timeoutMs: 20_000, settleMs: 5_000, fingerprint: '$f' });
  if (!commit) throw new Error('Nothing was written.');
  expect(attempts).toBe(1);
  expect(commit.deadline_at.getTime() - commit.began_at.getTime()).toBe(20_000);
  expect(commit.settled_at.getTime() - commit.deadline_at.getTime()).toBe(5_000);
  expect(commit.fingerprint).toBe('$f');
});

test('a post on a platform belongs to one delivery', async () => {
  const account_id = newId();
  await insert(aDelivery({ account_id }));
  await saveDelivery(mongo.db, await taken(), { publish_id: '17' });
  await insert(aDelivery({ account_id }));
  const error: unknown = await saveDelivery(mongo.db, await taken(), { publish_id: '17' }).catch((thrown: unknown) => thrown);
  expect(isPublishIdTaken(error)).toBe(true);
  await insert(aDelivery({ account_id: newId() }));
  await saveDelivery(mongo.db, await taken(), { publish_id: '17' });
});

test('organizations and accounts at their limit are left out; the row that has been due longest comes first', async () => {
  const [a, b] = [aDelivery(), aDelivery()];
  await insert(a);
  await afterwards(a);
  await insert(b);
  const without = (full: Partial<{ organizations: string[]; integrations: string[] }>) => lease(1, { ...NOBODY_FULL, ...full });
  expect((await without({ organizations: [a.organization_id] }))?._id).toBe(b._id);
  expect(await without({ organizations: [a.organization_id], integrations: [b.integration_id] })).toBeUndefined();
  expect((await lease())?._id).toBe(a._id);
});

test('however many deliveries wait for others of their publication, due ones are found, and none of the waiting counts as due', async () => {
  const integration_id = newId();
  const waiting = Array.from({ length: 150 }, () => aDelivery({ integration_id, strategy: 'primary_first', stage: 'held' }));
  const due = aDelivery({ integration_id });
  await insert(...waiting, due);
  expect(await findDueDeliveries(mongo.db, { platforms: [], ...NOBODY_FULL }, 100)).toMatchObject([{ _id: due._id }]);
  expect(await findWaitingFor(mongo.db, integration_id, 50)).toEqual([due._id]);
  const nothingPaused = { everything: false, platforms: [], organizations: [], integrations: [] };
  expect(await findOldestDue(mongo.db, nothingPaused)).toEqual([{ platform: 'x', dueAt: expect.any(Date) }]);
  await lease();
  expect(await findOldestDue(mongo.db, nothingPaused)).toEqual([]);
});

test('a row that waited is not overtaken by later ones', async () => {
  await insert(aDelivery());
  const waiting = await taken();
  await giveBack(waiting, 0);
  await afterwards(waiting);
  await insert(aDelivery(), aDelivery());
  expect((await taken())._id).toBe(waiting._id);
});

test('a text that looks like a field stays a text, and a repeated request leaves the row unchanged', async () => {
  const document = aDelivery();
  await insert(document);
  const leased = await saveDelivery(mongo.db, await taken(), { error_message: '$content.caption', state: { a: '$$NOW' } });
  expect(leased).toMatchObject({ content: { caption: '$caption' }, error_message: '$content.caption', state: { a: '$$NOW' } });
  await insert(document);
  expect(await mongo.db.collection<DeliveryDocument>('deliveries').findOne({ _id: document._id })).toEqual(leased);
});

test('rows that are not due, have ended or are at a limit are not read to find due ones', async () => {
  const later = Array.from({ length: 2_000 }, () => ({ ...aDelivery(), run_at: new Date(Date.now() + A_MINUTE) }));
  const ended = Array.from({ length: 2_000 }, () => ({ ...aDelivery(), run_at: new Date(0), open: false }));
  const [organization_id, integration_id, crowded] = [newId(), newId(), newId()];
  const full = Array.from({ length: 1_000 }, () => ({ ...aDelivery({ organization_id }), run_at: new Date(0) }));
  const fullToo = Array.from({ length: 1_000 }, () => ({ ...aDelivery({ integration_id }), run_at: new Date(0) }));
  const atShare = Array.from({ length: 1_000 }, () => ({
    ...aDelivery({ organization_id: crowded, platform: 'x' }),
    run_at: new Date(0),
  }));
  await mongo.db.collection<DeliveryDocument>('deliveries').insertMany([...later, ...ended, ...full, ...fullToo, ...atShare]);
  await insert(aDelivery(), aDelivery({ organization_id: crowded, platform: 'facebook' }));
  const { db } = mongo;
  const level = await db.command({ profile: 2 });
  const except = {
    platforms: [],
    organizations: [organization_id],
    integrations: [integration_id],
    atShare: [{ organizationId: crowded, platforms: ['x'] }],
  };
  const found = await findDueDeliveries(db, except, 100);
  await db.command({ profile: level['was'] as number });
  expect(found).toHaveLength(2);
  const seen = await db.collection('system.profile').find({ 'command.find': 'deliveries' }).sort({ ts: -1 }).limit(2).toArray();
  for (const one of seen) {
    expect(one).toMatchObject({ planSummary: expect.stringContaining('IXSCAN'), docsExamined: 1 });
    expect(one['keysExamined']).toBeLessThan(3_100);
  }
});

test('a process whose refresh lock expired does not release the lock of its successor', async () => {
  const id = newId();
  await mongo.db.collection<Pick<IntegrationDocument, '_id' | 'revision'>>('integrations').insertOne({ _id: id, revision: 1 });
  const former = await lockForRefresh(mongo.db, id, 1, 1);
  const holder = await eventually(() => lockForRefresh(mongo.db, id, 1, A_MINUTE));
  if (!former) throw new Error('The first one got no lock.');
  await unlockRefresh(mongo.db, id, former);
  expect(await lockForRefresh(mongo.db, id, 1, A_MINUTE)).toBeUndefined();
  await unlockRefresh(mongo.db, id, holder);
  expect(await lockForRefresh(mongo.db, id, 1, A_MINUTE)).toBeDefined();
});

test("rows without the platform's account id get it, and their posts are then unique across businesses", async () => {
  const [account_id, one, other] = [newId(), newId(), newId()];
  const integrations = mongo.db.collection<Pick<IntegrationDocument, '_id' | 'account_id' | 'business_id' | 'platform'>>('integrations');
  await integrations.insertMany([one, other].map((_id) => ({ _id, account_id, business_id: newId(), platform: 'x' })));
  await insert(aDelivery({ integration_id: one, status: 'DELIVERY_STATUS_SUCCESS', open: false, publish_id: '18' }));
  await mongo.db.collection('deliveries').createIndex({ integration_id: 1, publish_id: 1 });
  await createAccountIndexes(mongo.db);
  await insert(aDelivery({ integration_id: other, account_id }));
  const error: unknown = await saveDelivery(mongo.db, await taken(), { publish_id: '18' }).catch((thrown: unknown) => thrown);
  expect(isPublishIdTaken(error)).toBe(true);
  const indexes = (await mongo.db.collection('deliveries').indexes()).map(({ key }) => Object.keys(key));
  expect(indexes).not.toContainEqual(['integration_id', 'publish_id']);
});
