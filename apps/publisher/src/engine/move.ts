import type { Context } from '../context.ts';
import { emitDeliveryChanged } from '../events.ts';
import { saveDelivery, type Change, type DeliveryDocument } from '../store/deliveries.ts';

/** Writes what others hear of: state and event in one transaction. @throws LeaseLost */
export async function move(context: Context, delivery: DeliveryDocument, change: Change): Promise<DeliveryDocument> {
  return context.transact(async (session) => {
    const after = await saveDelivery(context.db, delivery, { ...change, revision: delivery.revision + 1 }, session);
    await emitDeliveryChanged(context.db, session, after);
    return after;
  });
}
