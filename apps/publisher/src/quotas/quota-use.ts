import { connectorFor, type Quota } from '@fanfare/connectors';
import type { Context } from '../context.ts';
import type { DeliveryDocument } from '../deliveries/delivery.ts';
import { byClock } from './by-clock.ts';
import type { ReservationRequest } from './store/quotas.ts';

/** What a delivery reserves, or would reserve, of one quota. */
export type QuotaUse = Pick<ReservationRequest, 'id' | 'key' | 'limit' | 'isDefault' | 'now'> & { readonly quota: Quota };

/** Undefined if the platform has no such quota or its limit is not set: then the database is not queried. */
export function quotaUseOf({ config }: Context, delivery: DeliveryDocument, accountId: string, name: string): QuotaUse | undefined {
  const quota = connectorFor(delivery.platform).quotas?.find((one) => one.name === name);
  const configured = config.quotas[delivery.platform]?.[name];
  const limit = configured ?? quota?.limit;
  if (!quota || limit === undefined) return undefined;
  const id = `${delivery.platform}/${name}`;
  const isOfApp = quota.of === 'app';
  const counted = byClock(delivery.organization_id, isOfApp ? id : `${id}/${accountId}`);
  const key = isOfApp ? delivery.organization_id : delivery._id;
  return { quota, ...counted, key, limit, isDefault: configured === undefined };
}
