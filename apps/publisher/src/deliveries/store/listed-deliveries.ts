import { after, pageOf, parsePageToken, type Page } from '@fanfare/mongo';
import { currentMs } from '@fanfare/runtime';
import type { Db, Filter } from 'mongodb';
import type { DeliveryState } from '../domain/delivery-state.ts';
import type { DeliveryDocument } from '../delivery.ts';

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');

/** What operators look for; undefined means any. */
export interface DeliveryFilter {
  readonly organizationId?: string | undefined;
  readonly integrationId?: string | undefined;
  readonly platform?: string | undefined;
  readonly state?: DeliveryState | undefined;
  /** Requested at least this long ago. */
  readonly olderThanMs?: number | undefined;
}

/** The indexes of open and of failed deliveries are small, so that no list reads all deliveries that were ever published to find those. */
export async function createListIndexes(db: Db): Promise<void> {
  const newest = { created_at: -1, _id: -1 } as const;
  await deliveries(db).createIndexes([
    { key: newest, name: 'newest' },
    { key: { organization_id: 1, ...newest }, name: 'newest_of_organization' },
    { key: { integration_id: 1, ...newest }, name: 'newest_of_integration' },
    { key: newest, name: 'newest_open', partialFilterExpression: { open: true } },
    { key: newest, name: 'newest_failed', partialFilterExpression: { status: 'DELIVERY_STATUS_FAILED' } },
  ]);
}

/** A page, the newest first, without content and state. */
export async function listDeliveries(db: Db, filter: DeliveryFilter, pageSize: number, pageToken: string): Promise<Page<DeliveryDocument>> {
  const { organizationId, integrationId, platform, state, olderThanMs } = filter;
  const binding = ['deliveries', organizationId, integrationId, platform, state, olderThanMs].map((value) => value ?? null);
  const where = {
    ...(organizationId !== undefined && { organization_id: organizationId }),
    ...(integrationId !== undefined && { integration_id: integrationId }),
    ...(platform !== undefined && { platform }),
    ...(state !== undefined && STATES[state]),
    $and: [
      olderThanMs === undefined ? {} : { created_at: { $lte: new Date(currentMs() - olderThanMs) } },
      after(parsePageToken(pageToken, binding)),
    ],
  } as Filter<DeliveryDocument>;
  const rows = await deliveries(db)
    .find(where, { projection: { content: 0, state: 0 } })
    .sort({ created_at: -1, _id: -1 })
    .limit(pageSize + 1)
    .toArray();
  return pageOf(rows, pageSize, binding);
}

/** Each names the condition of the partial index that serves it. */
const STATES: Readonly<Record<DeliveryState, Filter<DeliveryDocument>>> = {
  open: { open: true },
  pending: { open: true, status: 'DELIVERY_STATUS_PENDING' },
  processing: { open: true, status: 'DELIVERY_STATUS_PROCESSING' },
  waiting: { open: true, waiting: { $exists: true } },
  success: { status: 'DELIVERY_STATUS_SUCCESS' },
  failed: { status: 'DELIVERY_STATUS_FAILED' },
  unknown_outcome: { status: 'DELIVERY_STATUS_FAILED', error_type: 'unknown_outcome' },
};
