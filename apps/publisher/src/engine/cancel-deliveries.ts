import { LeaseLost, withLease } from '@fanfare/leased-work';
import type { Context } from '../context.ts';
import type { DeliveryDocument } from '../deliveries/delivery.ts';
import { deliveryRows } from '../deliveries/store/deliveries.ts';
import { findWaitingFor } from '../deliveries/store/wake-deliveries.ts';
import { deliver, idsOf, leaseMsOf } from './deliver.ts';

const BATCH_SIZE = 50;

/**
 * Ends the waiting deliveries of a disconnected account at once, paused ones too. Those that a crash leaves end when their
 * turn comes, even if the account is reconnected by then.
 */
export async function cancelDeliveries(context: Context, integrationId: string): Promise<void> {
  const { db, log } = context;
  const leaseMs = leaseMsOf(context);
  const end = async (row: DeliveryDocument) => {
    try {
      await withLease({ db, rows: deliveryRows, row, leaseMs, log: log.child(idsOf(row)) }, (lease) => deliver(context, lease));
    } catch (error) {
      // Another process ends it.
      if (!(error instanceof LeaseLost)) throw error;
    }
  };
  for (;;) {
    const waiting = await findWaitingFor(db, integrationId, BATCH_SIZE);
    const leased = waiting.length > 0 ? await deliveryRows.leaseThese(db, waiting, leaseMs) : [];
    if (leased.length === 0) return;
    await Promise.all(leased.map(end));
  }
}
