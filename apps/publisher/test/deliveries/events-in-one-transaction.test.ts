import { LeaseLost } from '@fanfare/leased-work';
import { systemCall } from '@fanfare/rpc';
import { eventually } from '@fanfare/testing';
import { saveAndEmit } from '../../src/engine/save-and-emit.ts';
import { deliveryRows } from '../../src/deliveries/store/deliveries.ts';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

let publisher: TestPublisher;

beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.stop());

test('of deliveries written in one transaction, each with its lease emits its event, and no other does', async () => {
  const { client, context, db } = publisher;
  const x = await publisher.connect('x');
  const everything = { platform: undefined, organizationId: undefined, integrationId: undefined, reason: 'Nobody else leases them' };
  await client.putPause(everything, { call: { metadata: systemCall('operator', {}) } });
  const ids = await publisher.publish(...Array.from({ length: 8 }, (_, index) => ({ integration: x, caption: `Together ${index}` })));
  const rows = db.collection<{ _id: string; fence: number }>('deliveries');
  await eventually(async () => (await rows.countDocuments({ _id: { $in: ids } })) === ids.length);
  const leased = await deliveryRows.leaseThese(db, ids, 60_000);
  expect(leased).toHaveLength(8);
  const lost = leased[3];
  if (!lost) throw new Error('Not all are leased.');
  await rows.updateOne({ _id: lost._id }, { $inc: { fence: 1 } });

  const change = { status: 'DELIVERY_STATUS_FAILED', open: false, error_type: 'permission_denied', error_message: '$message' } as const;
  const results = await Promise.allSettled(leased.map((delivery) => saveAndEmit(context, delivery, change)));

  for (const [index, delivery] of leased.entries()) {
    if (delivery === lost) continue;
    expect(results[index]).toMatchObject({ status: 'fulfilled', value: { _id: delivery._id, revision: 1, open: false } });
    expect(await publisher.outcome(delivery._id)).toMatchObject({ errorMessage: '$message' });
  }
  expect(results[3]).toMatchObject({ status: 'rejected', reason: expect.any(LeaseLost) });
  expect(publisher.eventsOf(lost._id)).toEqual([]);
  expect(await rows.findOne({ _id: lost._id })).toMatchObject({ open: true, status: 'DELIVERY_STATUS_PENDING' });
});
