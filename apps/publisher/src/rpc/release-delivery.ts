import { DomainError, notFound } from '@fanfare/errors';
import { findDelivery, toInspectedDelivery } from '../deliveries/store/inspected-deliveries.ts';
import { releaseDelivery as release } from '../deliveries/store/operated-deliveries.ts';
import { idsOf, leaseMsOf } from '../engine/deliver.ts';
import { deliveriesOperated } from '../metrics.ts';
import { pausesOf } from '../pauses/domain/paused.ts';
import { listPauses } from '../pauses/store/pauses.ts';
import { requiredReason } from '../operator-requests/required-reason.ts';
import { waitsForOthers, type DeliveryDocument } from '../deliveries/delivery.ts';
import type { Rpc } from './rpc.ts';

export const releaseDelivery: Rpc<'releaseDelivery'> =
  (context) =>
  async ({ deliveryId, reason }, { log, metadata }) => {
    const { db } = context;
    requiredReason(reason);
    const before = await findDelivery(db, deliveryId);
    if (!before) throw notFound('delivery');
    const delivery = await release(db, deliveryId, leaseMsOf(context), metadata.actor);
    if (!delivery) {
      throw new DomainError('conflict', `This delivery ${whyNot(before)}`);
    }
    deliveriesOperated.inc({ operation: 'release' });
    log.warn({ ...idsOf(delivery), actor: metadata.actor, reason, fence: delivery.fence }, 'an operator released a delivery');
    return { delivery: toInspectedDelivery(delivery, pausesOf(await listPauses(db), delivery)) };
  };

function whyNot({ open, stage, commit }: DeliveryDocument): string {
  if (!open) return 'has ended.';
  if (waitsForOthers({ stage })) return 'waits for the other deliveries of its publication, and no process has a lease of it.';
  if (commit) return 'waits until its commit is reconciled, and no process has a lease of it.';
  return 'waits, and no process has a lease of it. Retry makes it due now.';
}
