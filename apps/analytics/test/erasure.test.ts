import { topics } from '@fanfare/contracts';
import { GetAccountStatsRequest } from '@fanfare/contracts/analytics';
import { Integration } from '@fanfare/contracts/publisher';
import { DeliveryChanged } from '@fanfare/contracts/publisher/events';
import { newId } from '@fanfare/runtime';
import { callAs, copyOf, eventually, findEverywhere } from '@fanfare/testing';
import { startAnalytics, type TestAnalytics } from './running-analytics.ts';

let analytics: TestAnalytics;
beforeAll(async () => {
  analytics = await startAnalytics();
});
afterAll(() => analytics.stop());

const LEFT = { except: ['tombstones'] };
const MOVING = { except: ['outbox', 'inbox', 'migrations'] };

/** What the consumers and the snapshots of an account leave, of any scope: stored, because the test's publisher lends tokens of one business only. */
async function store(scope: { organizationId: string; businessId: string }): Promise<void> {
  const { db } = analytics;
  const owner = { organization_id: scope.organizationId, business_id: scope.businessId };
  const integrationId = newId();
  await db.collection<{ _id: string }>('accounts').insertOne({ _id: integrationId, ...owner, platform: 'x', revision: 1 } as never);
  await db
    .collection<{ _id: string }>('account_months')
    .insertOne({ _id: `${integrationId}/2026-11`, ...owner, integration_id: integrationId, month: '2026-11' } as never);
  await db
    .collection<{ _id: string }>('posts')
    .insertOne({ _id: newId(), ...owner, post_id: newId(), integration_id: integrationId } as never);
  await db
    .collection<{ _id: string }>('reads')
    .insertOne({ _id: newId(), ...owner, integration_id: integrationId, fetched_at: new Date() } as never);
}

test('nothing of an erased business is left, late events bring nothing back, and others are untouched', async () => {
  const { scope, db, peer } = analytics;
  const sibling = { organizationId: scope.organizationId, businessId: newId() };
  const stranger = { organizationId: newId(), businessId: newId() };
  const x = await analytics.connect('x');
  await analytics.published(x, '1', new Date());
  await analytics.client.getAccountStats(GetAccountStatsRequest.fromPartial({ integrationId: x.id }), analytics.call);
  for (const each of [scope, sibling, stranger]) await store(each);
  await eventually(
    async () => (await db.collection('posts').countDocuments({ business_id: scope.businessId, published_at: { $exists: true } })) === 1,
  );
  const kept = [sibling.businessId, stranger.businessId];
  const before = await copyOf(db, kept, MOVING);
  expect(Object.keys(before)).toEqual(['account_months', 'accounts', 'posts', 'reads']);

  const request = { organizationId: scope.organizationId, businessIds: [scope.businessId], wholeOrganization: false };
  expect((await analytics.client.erase(request, analytics.call)).done).toBe(true);
  expect(await findEverywhere(db, [scope.businessId, x.id], LEFT)).toEqual([]);
  expect(await copyOf(db, kept, MOVING)).toEqual(before);

  const late = { ...x, revision: 9 };
  await analytics.emitChange(late);
  const data = DeliveryChanged.fromPartial({
    ...{ ...scope, deliveryId: newId(), publicationId: newId(), postId: newId(), integrationId: x.id, platform: 'x' },
    ...{ status: 'DELIVERY_STATUS_SUCCESS', publishedAt: new Date() },
  });
  await peer.emit(topics.deliveryChanged, [{ emission: { ...scope, flowId: 'late', subject: data.deliveryId, revision: 2 }, data }]);
  // Events of one topic are handled in order.
  const other = Integration.fromPartial({ ...x, ...stranger, id: newId(), revision: 1 });
  await peer.emit(topics.integrationChanged, [
    { emission: { ...stranger, flowId: 'later', subject: other.id, revision: 1 }, data: { integration: other } },
  ]);
  const delivery = { ...data, ...stranger, deliveryId: newId() };
  await peer.emit(topics.deliveryChanged, [
    { emission: { ...stranger, flowId: 'later', subject: delivery.deliveryId, revision: 2 }, data: delivery },
  ]);
  await eventually(async () => (await db.collection('accounts').countDocuments({ _id: other.id as never })) === 1);
  await eventually(async () => (await db.collection('posts').countDocuments({ _id: delivery.deliveryId as never })) === 1);
  expect(await findEverywhere(db, [scope.businessId], LEFT)).toEqual([]);
});

test('nothing of an erased organization is left', async () => {
  const one = { organizationId: newId(), businessId: newId() };
  const other = { ...one, businessId: newId() };
  for (const each of [one, other]) await store(each);
  const request = { organizationId: one.organizationId, businessIds: [one.businessId, other.businessId], wholeOrganization: true };
  expect((await analytics.client.erase(request, callAs(one))).done).toBe(true);
  expect(await findEverywhere(analytics.db, [one.organizationId], LEFT)).toEqual([]);
});
