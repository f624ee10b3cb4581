import type { Context } from '../context.ts';
import { returnToQuota } from './store/quotas.ts';
import type { DeliveryDocument } from '../deliveries/delivery.ts';
import { quotaUseOf } from './quota-use.ts';

/**
 * Returns what the delivery reserved, so that others can use it. Only after its row no longer contains the reservation, or is closed: then a crash in
 * between loses the reservation until the window ends, and never exceeds the quota.
 */
export async function returnQuotas(context: Context, delivery: DeliveryDocument): Promise<void> {
  for (const [name, reserved] of Object.entries(delivery.budgets_held ?? {})) {
    const use = quotaUseOf(context, delivery, delivery.account_id ?? '', name);
    if (use) await returnToQuota(context.db, { ...use, ...reserved });
  }
}
