import { connectMongo, type Mongo } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import { testInfrastructure } from '@fanfare/testing';
import fc from 'fast-check';
import { mayReserve } from '../../src/quotas/domain/fair-share.ts';
import {
  type ReservationRequest,
  type QuotaDocument,
  closeQuota,
  returnToQuota,
  recordReading,
  reserveFromQuota,
} from '../../src/quotas/store/quotas.ts';

// How a platform's quota is divided, decided by the database alone.
const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
let mongo: Mongo;

beforeAll(async () => {
  const { mongoUrl, database } = testInfrastructure();
  mongo = await connectMongo({ url: mongoUrl, database, service: 'publisher' });
});
afterAll(async () => {
  await mongo.db.dropDatabase();
  await mongo.close();
});

const ofApp = (part: Partial<ReservationRequest> = {}): ReservationRequest => ({
  id: newId(),
  quota: { of: 'app', window: { dayIn: 'America/Los_Angeles' } },
  key: 'one',
  amount: 1,
  limit: 100,
  isDefault: true,
  ...part,
});
const ofAccount = (part: Partial<ReservationRequest> = {}): ReservationRequest =>
  ofApp({ quota: { of: 'account', window: { rollingMs: DAY_MS } }, limit: 3, ...part });
const take = (request: ReservationRequest, now?: Date) => reserveFromQuota(mongo.db, request, now);
const documentOf = (id: string) => mongo.db.collection<QuotaDocument>('budgets').findOne({ _id: id });
/** Shortly before midnight in California, when nothing is kept for others any more. */
const EVENING = new Date('2026-07-02T06:59:59Z');
const MORNING = new Date('2026-07-02T07:00:00Z');

test('concurrent reservations never exceed the quota', async () => {
  const { id } = ofApp();
  const organizations = ['one', 'two', 'three', 'four'];
  const requests = Array.from({ length: 200 }, (_, index) => ofApp({ id, key: organizations[index % 4] ?? '', limit: 40 }));
  const taken = await Promise.all(requests.map((request) => take(request, EVENING)));
  expect(taken.filter(({ result }) => result === 'granted')).toHaveLength(40);
  expect((await documentOf(id))?.spent.reduce((sum, { amount }) => sum + amount, 0)).toBe(40);
});

test('concurrent deliveries of an account never exceed its quota', async () => {
  const { id } = ofAccount();
  const taken = await Promise.all(Array.from({ length: 50 }, (_, index) => take(ofAccount({ id, key: `delivery-${index}` }))));
  expect(taken.filter(({ result }) => result === 'granted')).toHaveLength(3);
});

test("a delivery's reservation is granted again, and counted once", async () => {
  const { id } = ofAccount();
  await Promise.all([1, 2, 3, 4].map(() => take(ofAccount({ id, key: 'a' }))));
  expect((await documentOf(id))?.spent).toMatchObject([{ key: 'a', amount: 1 }]);
  await closeQuota(mongo.db, id, HOUR_MS);
  expect(await take(ofAccount({ id, key: 'a' }))).toMatchObject({ result: 'granted' });
});

test('a rolling window has room again when the oldest reservation is a day old', async () => {
  const { id } = ofAccount();
  const at = (hours: number) => new Date(MORNING.getTime() + hours * HOUR_MS);
  for (const [index, key] of ['a', 'b', 'c'].entries()) await take(ofAccount({ id, key }), at(index));
  expect(await take(ofAccount({ id, key: 'd' }), at(5))).toMatchObject({ result: 'used_up', waitMs: 19 * HOUR_MS });
  expect(await take(ofAccount({ id, key: 'd' }), at(24))).toMatchObject({ result: 'granted' });
  expect(await take(ofAccount({ id, key: 'e' }), at(24))).toMatchObject({ result: 'used_up', waitMs: HOUR_MS });
});

test('a day starts at midnight in its own time zone, also when the clocks are set back', async () => {
  const { id } = ofApp();
  const night = new Date('2026-11-02T07:59:00Z');
  expect(await take(ofApp({ id, limit: 1 }), night)).toMatchObject({ result: 'granted', at: new Date('2026-11-01T07:00:00Z') });
  expect(await take(ofApp({ id, limit: 1 }), night)).toMatchObject({ result: 'used_up', waitMs: 60_000 });
  expect(await take(ofApp({ id, limit: 1 }), new Date('2026-11-02T08:00:00Z'))).toMatchObject({ result: 'granted' });
});

test('a single organization leaves half to others at the start of a day, and another one that comes then gets some', async () => {
  const { id } = ofApp();
  let taken = 0;
  while ((await take(ofApp({ id, key: 'greedy' }), MORNING)).result === 'granted') taken++;
  expect(taken).toBe(50);
  expect(await take(ofApp({ id, key: 'later' }), MORNING)).toMatchObject({ result: 'granted', left: 49 });
});

test('a returned reservation can be reserved again, once', async () => {
  const app = ofApp({ limit: 1 });
  const reserved = await take(app, EVENING);
  const at = 'at' in reserved ? reserved.at : EVENING;
  await returnToQuota(mongo.db, { ...app, at });
  expect(await take({ ...app, key: 'other' }, EVENING)).toMatchObject({ result: 'granted' });
  expect(await take(app, EVENING)).toMatchObject({ result: 'used_up' });

  const account = ofAccount({ limit: 1 });
  await take(account);
  await returnToQuota(mongo.db, { ...account, at: new Date() });
  expect(await take({ ...account, key: 'other' })).toMatchObject({ result: 'granted' });
});

test('a minute of the clock has its own quota', async () => {
  const request = ofApp({ limit: 4, quota: { of: 'app', window: { everyMinute: true } } });
  const late = new Date('2026-11-20T08:00:59.900Z');
  for (let read = 0; read < 4; read++) expect(await take(request, late)).toMatchObject({ result: 'granted' });
  expect(await take(request, late)).toMatchObject({ result: 'used_up', waitMs: 100 });
  expect(await take(request, new Date('2026-11-20T08:01:00Z'))).toMatchObject({ result: 'granted' });
});

test('of the reservations of a minute, a part can be returned', async () => {
  const request = ofAccount({ limit: 5, key: 'minute 1', isByMinute: true });
  await take({ ...request, amount: 2 });
  await take({ ...request, amount: 3 });
  await returnToQuota(mongo.db, { ...request, amount: 3, at: new Date() });
  expect(await take({ ...request, amount: 4 })).toMatchObject({ result: 'used_up' });
  expect(await take({ ...request, amount: 3 })).toMatchObject({ result: 'granted' });
});

test("returning yesterday's reservation frees nothing today", async () => {
  const request = ofApp({ limit: 1 });
  const reserved = await take(request, EVENING);
  await take(request, MORNING);
  await returnToQuota(mongo.db, { ...request, at: 'at' in reserved ? reserved.at : EVENING });
  expect(await take(request, MORNING)).toMatchObject({ result: 'used_up' });
});

test('what others use is subtracted, and the limit that the platform reports replaces the assumed one', async () => {
  const request = ofAccount({ limit: 3, readWithinMs: HOUR_MS });
  expect(await take(request)).toEqual({ result: 'read_first' });
  await recordReading(mongo.db, request.id, { used: 8, limit: 10 });
  expect(await take({ ...request, key: 'a' })).toMatchObject({ result: 'granted', left: 1 });
  expect(await take({ ...request, key: 'b' })).toMatchObject({ result: 'granted', left: 0 });
  const rejected = await take({ ...request, key: 'c' });
  expect(rejected).toMatchObject({ result: 'used_up', counted: { used: 10, limit: 10 } });
  await recordReading(mongo.db, request.id, { used: 9, limit: 10 });
  expect(await take({ ...request, key: 'c' })).toMatchObject({ result: 'granted' });
});

test("the lower of the operator's limit and the platform's limit applies", async () => {
  const request = ofAccount({ limit: 5, isDefault: false });
  await recordReading(mongo.db, request.id, { used: 0, limit: 100 });
  expect(await take(request)).toMatchObject({ left: 4 });
  await recordReading(mongo.db, request.id, { used: 1, limit: 2 });
  expect(await take({ ...request, key: 'other' })).toMatchObject({ left: 0 });
});

test('a quota that the platform rejects is closed for as long as it says, and that is new once', async () => {
  const request = ofAccount();
  expect(await closeQuota(mongo.db, request.id, HOUR_MS)).toBe(true);
  expect(await closeQuota(mongo.db, request.id, HOUR_MS / 2)).toBe(false);
  const closed = await take(request);
  expect(closed.result).toBe('closed');
  expect('waitMs' in closed && closed.waitMs).toBeGreaterThan(HOUR_MS / 2);
  expect(await take(request, new Date(Date.now() + 2 * HOUR_MS))).toMatchObject({ result: 'granted' });
});

test('the database decides like the rule, whatever was used before', async () => {
  const others = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 5 });
  const standing = fc.record({
    own: fc.integer({ min: 0, max: 60 }),
    others,
    amount: fc.integer({ min: 1, max: 30 }),
    left: fc.integer({ min: 1, max: 24 }),
  });
  await fc.assert(
    fc.asyncProperty(standing, async ({ own, others, amount, left }) => {
      const request = ofApp({ amount });
      const spent = [own, ...others].map((amount, index) => ({ key: index === 0 ? 'one' : `other-${index}`, at: MORNING, amount }));
      await mongo.db.collection<Pick<QuotaDocument, '_id' | 'spent'>>('budgets').insertOne({ _id: request.id, spent });
      const { result } = await take(request, new Date(MORNING.getTime() + DAY_MS - left * HOUR_MS));
      const used = others.reduce((sum, one) => sum + one, own);
      const may = mayReserve(amount, { limit: 100, used, own, takers: spent.length, left: left / 24 });
      expect(result).toBe(may ? 'granted' : 'used_up');
    }),
    { numRuns: 100 },
  );
});
