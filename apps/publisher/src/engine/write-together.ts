import { recordEntries } from '@fanfare/ledger';
import type { Context } from '../context.ts';
import type { DeliveryDocument } from '../deliveries/delivery.ts';
import { deliveryRows, movingEntries, type DeliveryWrite } from '../deliveries/store/deliveries.ts';
import { emitDeliveriesChanged } from '../events.ts';
import { deliveriesEnded } from '../metrics.ts';
import { returnQuotas } from '../quotas/return-quotas.ts';
import { advancePublication } from '../strategies/advance-publication.ts';
import type { ReachedState } from '../strategies/domain/publication.ts';

/**
 * Writes a delivery, and what follows for the other deliveries of its publication, in one transaction.
 * @throws LeaseLost
 */
export async function writeTogether(context: Context, write: DeliveryWrite, reached: ReachedState): Promise<DeliveryDocument> {
  const { db, log } = context;
  const { own, ended } = await context.transact(async (session) => {
    const written = await deliveryRows.write(db, movingEntries(write), session);
    await recordEntries(db, [write.recorded], session);
    const advanced = await advancePublication(context, written, reached, session);
    const isReported = advanced?.changed.some(({ _id }) => _id === written._id) ?? false;
    if (!isReported) await emitDeliveriesChanged(db, session, [written]);
    return { own: written, ended: advanced?.ended ?? [] };
  });
  for (const delivery of ended) {
    const { _id, platform, post_id, error_type } = delivery;
    deliveriesEnded.inc({ platform, outcome: error_type ?? 'failed' });
    log.warn({ delivery_id: _id, post_id, platform, error_type, because_of: own._id }, 'delivery ended because of another one');
    await returnQuotas(context, delivery);
  }
  return own;
}
