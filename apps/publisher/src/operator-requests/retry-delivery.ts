import type { RetryDeliveryRequest } from '@fanfare/contracts/publisher';
import { DomainError, notFound } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { waitsForOthers, type DeliveryDocument } from '../deliveries/delivery.ts';
import { findDelivery } from '../deliveries/store/inspected-deliveries.ts';
import { expediteDelivery } from '../deliveries/store/operated-deliveries.ts';
import { idsOf, leaseMsOf } from '../engine/deliver.ts';
import { deliveriesOperated } from '../metrics.ts';
import { requiredReason } from './required-reason.ts';

/**
 * Makes an open delivery due now. Of one that has ended, only checks whether its post may be published to the account again, which content does.
 * @throws DomainError missing_field, invalid_value for the reason; resource_not_found; conflict if its platform has the post, or may have it
 */
export async function retryDelivery(
  context: Context,
  { deliveryId, reason, confirmNotPublished }: RetryDeliveryRequest,
  { log, metadata }: Call,
): Promise<{ readonly delivery: DeliveryDocument; readonly result: 'due_now' | 'under_way' | 'ended' }> {
  const { db } = context;
  requiredReason(reason);
  const before = await findDelivery(db, deliveryId);
  if (!before) throw notFound('delivery');
  checkRetriable(before, confirmNotPublished);
  const due = before.open ? await expediteDelivery(db, deliveryId, leaseMsOf(context), metadata.actor) : null;
  const result = due ? 'due_now' : before.open ? 'under_way' : 'ended';
  deliveriesOperated.inc({ operation: 'retry' });
  log.warn({ ...idsOf(before), actor: metadata.actor, reason, result, confirmNotPublished }, 'an operator retries a delivery');
  return { delivery: due ?? before, result };
}

/** @throws DomainError conflict if its platform has the post, or may have it */
function checkRetriable({ status, open, stage, commit, error_type }: DeliveryDocument, confirmNotPublished: boolean): void {
  if (status === 'DELIVERY_STATUS_SUCCESS') throw new DomainError('conflict', 'This delivery is published.');
  if (open && commit) {
    throw new DomainError(
      'conflict',
      'The publish call of this delivery has begun, and its outcome is not known yet: it is under way, or its response was lost and is being reconciled.',
    );
  }
  if (open && waitsForOthers({ stage })) {
    throw new DomainError('conflict', 'This delivery waits for the other deliveries of its publication.');
  }
  if (!open && error_type === 'unknown_outcome' && !confirmNotPublished) {
    throw new DomainError(
      'conflict',
      'The platform may have this post. If a person has checked that it does not, confirm that with confirm_not_published.',
      { param: 'confirm_not_published' },
    );
  }
}
