import type { Db, Document, Filter } from 'mongodb';
import type { DeliveryDocument } from '../delivery.ts';
import { releasedEntry, retriedEntry, type DeliveryEntry } from '../domain/delivery-entries.ts';
import { WAITING_FOR_PRIMARY } from '../domain/stage.ts';
import { endingLease } from './deliveries.ts';

// What operators do to deliveries that another process may have.

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');

/**
 * Makes a waiting delivery due now. A row whose lease could end within `leaseMs` may be in work, and one with a commit is being reconciled: both are left alone.
 * @returns null if it does not wait
 */
export const expediteDelivery = (db: Db, id: string, leaseMs: number, actor: string): Promise<DeliveryDocument | null> =>
  operate(db, { ...longWaiting(leaseMs), _id: id, commit: { $exists: false } }, { run_at: '$$NOW' }, retriedEntry, actor);

/**
 * Ends the lease: the delivery is due now, and every write of the process that has the lease fails.
 * @returns null if it has ended, or waits without a lease
 */
export const releaseDelivery = (db: Db, id: string, leaseMs: number, actor: string): Promise<DeliveryDocument | null> =>
  operate(
    db,
    { _id: id, open: true, stage: { $nin: [WAITING_FOR_PRIMARY, 'prepared'] }, $nor: [longWaiting(leaseMs)] },
    { run_at: { $min: ['$run_at', '$$NOW'] } },
    releasedEntry,
    actor,
  );

async function operate(
  db: Db,
  where: Filter<DeliveryDocument>,
  set: Document,
  entry: DeliveryEntry,
  actor: string,
): Promise<DeliveryDocument | null> {
  for (;;) {
    const row = await deliveries(db).findOne(where);
    if (!row) return null;
    const { isAsRead, pipeline } = endingLease(row, entry, actor);
    const after = await deliveries(db).findOneAndUpdate({ $and: [where, isAsRead] }, [{ $set: set }, ...pipeline], {
      returnDocument: 'after',
    });
    if (after) return after;
  }
}

/** Open, and due later than any lease ends: no process has it. */
const longWaiting = (leaseMs: number): Filter<DeliveryDocument> => ({
  open: true,
  $expr: { $gt: ['$run_at', { $add: ['$$NOW', Math.round(leaseMs)] }] },
});
