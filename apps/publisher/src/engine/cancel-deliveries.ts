import type { Context } from '../context.ts';
import { leaseDeliveries } from '../deliveries/store/due-deliveries.ts';
import { findWaitingFor } from '../deliveries/store/wake-deliveries.ts';
import { deliver, leaseMsOf } from './deliver.ts';

const TOGETHER = 50;

/**
 * Ends what waits to be sent to an account that is not connected any more, at once, also what operators hold. What a crash leaves of it ends when its
 * turn comes, whether the account is connected again by then or not.
 */
export async function cancelDeliveries(context: Context, integrationId: string): Promise<void> {
  for (;;) {
    const waiting = await findWaitingFor(context.db, integrationId, TOGETHER);
    const leased = waiting.length > 0 ? await leaseDeliveries(context.db, waiting, leaseMsOf(context)) : [];
    if (leased.length === 0) return;
    await Promise.all(leased.map((one) => deliver(context, one, () => false)));
  }
}
