import { raisedFence } from '@fanfare/leased-work';
import type { Db, Filter } from 'mongodb';
import type { DeliveryDocument } from '../delivery.ts';

// What operators do to deliveries that another process may have.

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');

/**
 * Makes a waiting delivery due now. A row whose lease could end within `leaseMs` may be in work, and one with a commit is being reconciled: both are left alone.
 * @returns null if it does not wait
 */
export async function expediteDelivery(db: Db, id: string, leaseMs: number): Promise<DeliveryDocument | null> {
  return deliveries(db).findOneAndUpdate(
    { ...longWaiting(leaseMs), _id: id, commit: { $exists: false } },
    [{ $set: { run_at: '$$NOW', fence: raisedFence, updated_at: '$$NOW' } }],
    { returnDocument: 'after' },
  );
}

/**
 * Ends the lease: the delivery is due now, and every write of the process that has the lease fails.
 * @returns null if it has ended, or waits without a lease
 */
export async function releaseDelivery(db: Db, id: string, leaseMs: number): Promise<DeliveryDocument | null> {
  return deliveries(db).findOneAndUpdate(
    { _id: id, open: true, $nor: [longWaiting(leaseMs)] },
    [{ $set: { run_at: { $min: ['$run_at', '$$NOW'] }, fence: raisedFence, updated_at: '$$NOW' } }],
    { returnDocument: 'after' },
  );
}

/** Open, and due later than any lease ends: no process has it. */
const longWaiting = (leaseMs: number): Filter<DeliveryDocument> => ({
  open: true,
  $expr: { $gt: ['$run_at', { $add: ['$$NOW', Math.round(leaseMs)] }] },
});
