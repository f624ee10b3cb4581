import { connectMongo, migrate, type Mongo } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import { testInfrastructure } from '@fanfare/testing';
import type { DeliveryDocument } from '../../src/deliveries/delivery.ts';
import { deleteEndedDeliveries } from '../../src/deliveries/store/ended-deliveries.ts';
import { migrations } from '../../src/migrations.ts';

const DAY_MS = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const HORIZON = daysAgo(90);

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
beforeEach(async () => void (await deliveries().deleteMany({})));

const deliveries = () => mongo.db.collection<DeliveryDocument>('deliveries');
const aDelivery = (days: number, more: Partial<DeliveryDocument> = {}): DeliveryDocument => ({
  _id: newId(),
  organization_id: 'o',
  business_id: 'b',
  post_id: newId(),
  publication_id: newId(),
  integration_id: 'i',
  platform: 'x',
  account_id: 'account',
  publish_id: newId(),
  flow_id: 'flow',
  created_at: daysAgo(days),
  updated_at: daysAgo(days),
  due_at: daysAgo(days),
  run_at: daysAgo(days),
  revision: 2,
  status: 'DELIVERY_STATUS_SUCCESS',
  open: false,
  content: { caption: '', media_ids: [] },
  state: {},
  fence: 3,
  attempts: 1,
  failures: 0,
  warnings: [],
  ...more,
});
const left = async () => (await deliveries().find().sort({ created_at: 1 }).toArray()).map(({ _id }) => _id);

test('deletes what ended before the horizon, the oldest first, in batches', async () => {
  const old = Array.from({ length: 5 }, (_, index) => aDelivery(100 - index));
  const recent = aDelivery(89);
  await deliveries().insertMany([...old, recent]);
  expect(await deleteEndedDeliveries(mongo.db, HORIZON, 3)).toBe(3);
  expect(await left()).toEqual([old[3]?._id, old[4]?._id, recent._id]);
  expect(await deleteEndedDeliveries(mongo.db, HORIZON, 3)).toBe(2);
  expect(await deleteEndedDeliveries(mongo.db, HORIZON, 3)).toBe(0);
  expect(await left()).toEqual([recent._id]);
});

test('keeps what has not ended, and what ended a short time ago', async () => {
  const { publish_id: _none, ...waiting } = aDelivery(400, { open: true, status: 'DELIVERY_STATUS_PENDING' });
  const { account_id: _account, ...notBegun } = waiting;
  await deliveries().insertMany([notBegun, aDelivery(400, { updated_at: daysAgo(1) }), aDelivery(400)]);
  expect(await deleteEndedDeliveries(mongo.db, HORIZON, 10)).toBe(1);
  expect(await left()).toHaveLength(2);
});

test('keeps the posts of an account of which an old delivery may still be reconciled: one of them must not be found for it', async () => {
  const { publish_id: _none, ...paused } = aDelivery(100, { open: true, status: 'DELIVERY_STATUS_PROCESSING' });
  const itsNeighbour = aDelivery(95);
  await deliveries().insertMany([paused, itsNeighbour, aDelivery(95, { account_id: 'another' })]);
  expect(await deleteEndedDeliveries(mongo.db, HORIZON, 10)).toBe(1);
  expect(await left()).toEqual([paused._id, itsNeighbour._id]);
  await deliveries().updateOne({ _id: paused._id }, { $set: { open: false, updated_at: daysAgo(91) } });
  expect(await deleteEndedDeliveries(mongo.db, HORIZON, 10)).toBe(2);
});

test('reads no more than it deletes, however many deliveries there are', async () => {
  await deliveries().insertMany([...Array.from({ length: 300 }, () => aDelivery(10)), aDelivery(100)]);
  const plan = await deliveries()
    .find({ created_at: { $lt: HORIZON }, updated_at: { $lt: HORIZON }, open: false, account_id: { $nin: [] } }, { hint: 'newest' })
    .sort({ created_at: 1, _id: 1 })
    .limit(200)
    .explain('executionStats');
  expect((plan as { executionStats: { totalKeysExamined: number } }).executionStats.totalKeysExamined).toBeLessThanOrEqual(2);
});
