import type { Context } from '../context.ts';
import { giveBackToBudget } from './store/quotas.ts';
import type { DeliveryDocument } from '../deliveries/store/deliveries.ts';
import { claimOn } from './quota-use.ts';

/**
 * Returns what the delivery reserved, so that others can have it. Only when its row no longer says that it is reserved, or is closed: then a crash in
 * between costs what was reserved until the window ends, and never lets anybody have more than there is.
 */
export async function returnQuotas(context: Context, delivery: DeliveryDocument): Promise<void> {
  for (const [name, reserved] of Object.entries(delivery.budgets_held ?? {})) {
    const claim = claimOn(context, delivery, delivery.account_id ?? '', name);
    if (claim) await giveBackToBudget(context.db, { ...claim, ...reserved });
  }
}
