import type { ReleaseDeliveryRequest } from '@fanfare/contracts/publisher';
import { DomainError, notFound } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { waitsForOthers, type DeliveryDocument } from '../deliveries/delivery.ts';
import { findDelivery } from '../deliveries/store/inspected-deliveries.ts';
import { releaseDelivery as release } from '../deliveries/store/operated-deliveries.ts';
import { idsOf, leaseMsOf } from '../engine/deliver.ts';
import { deliveriesOperated } from '../metrics.ts';
import { requiredReason } from './required-reason.ts';

/**
 * Takes a delivery from the process that has a lease of it.
 * @throws DomainError missing_field, invalid_value for the reason; resource_not_found; conflict if no process has a lease of it
 */
export async function releaseDelivery(
  context: Context,
  { deliveryId, reason }: ReleaseDeliveryRequest,
  { log, metadata }: Call,
): Promise<DeliveryDocument> {
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
  return delivery;
}

function whyNot({ open, stage, commit }: DeliveryDocument): string {
  if (!open) return 'has ended.';
  if (waitsForOthers({ stage })) return 'waits for the other deliveries of its publication, and no process has a lease of it.';
  if (commit) return 'waits until its commit is reconciled, and no process has a lease of it.';
  return 'waits, and no process has a lease of it. Retry makes it due now.';
}
