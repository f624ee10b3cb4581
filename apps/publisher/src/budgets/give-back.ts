import type { Context } from '../context.ts';
import { giveBackToBudget } from './store/budgets.ts';
import type { DeliveryDocument } from '../deliveries/store/deliveries.ts';
import { claimOn } from './claim-on.ts';

/**
 * What the delivery held is free for others. Only when its row no longer says that it holds it, or is closed: so that a crash in between costs what
 * was held until the window ends, and never lets anybody have more than there is.
 */
export async function giveBack(context: Context, delivery: DeliveryDocument): Promise<void> {
  for (const [name, held] of Object.entries(delivery.budgets_held ?? {})) {
    const claim = claimOn(context, delivery, delivery.account_id ?? '', name);
    if (claim) await giveBackToBudget(context.db, { ...claim, ...held });
  }
}
