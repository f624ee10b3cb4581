import { connectorFor, type Budget } from '@fanfare/connectors';
import type { Context } from '../context.ts';
import type { DeliveryDocument } from '../deliveries/store/deliveries.ts';
import type { Ask } from './store/quotas.ts';

/** What is held, or would be, of one budget for a delivery. */
export type Claim = Pick<Ask, 'id' | 'key' | 'limit' | 'isDefault'> & { readonly budget: Budget };

/** Undefined where the platform has no such budget, or nobody has set its limit: then nothing is asked of the database. */
export function claimOn({ config }: Context, delivery: DeliveryDocument, accountId: string, name: string): Claim | undefined {
  const budget = connectorFor(delivery.platform).budgets?.find((one) => one.name === name);
  const configured = config.budgets[delivery.platform]?.[name];
  const limit = configured ?? budget?.limit;
  if (!budget || limit === undefined) return undefined;
  const id = `${delivery.platform}/${name}`;
  return budget.of === 'app'
    ? { budget, id, key: delivery.organization_id, limit, isDefault: configured === undefined }
    : { budget, id: `${id}/${accountId}`, key: delivery._id, limit, isDefault: configured === undefined };
}
