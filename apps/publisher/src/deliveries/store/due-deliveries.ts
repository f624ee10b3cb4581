import type { Platform } from '@fanfare/connectors';
import type { Db, Filter } from 'mongodb';
import type { DueDelivery, Except } from '../../concurrency/slots.ts';
import type { Paused } from '../../pauses/domain/paused.ts';
import type { DeliveryDocument } from '../delivery.ts';
import { notPaused } from './not-paused.ts';

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');
const OPEN: Filter<DeliveryDocument> = { open: true };
/** A delivery without `run_at` waits for others and is not due, although the comparison alone would be true for it. */
export const IS_DUE: Filter<DeliveryDocument> = { run_at: { $gte: new Date(0) }, $expr: { $lte: ['$run_at', '$$NOW'] } };
/** Covers the query for due deliveries, so that ten thousand excluded rows are skipped without being read. */
export const DUE_INDEX = 'due_of';

export async function createDueIndex(db: Db): Promise<void> {
  await deliveries(db).createIndex(
    { run_at: 1, organization_id: 1, integration_id: 1, platform: 1, open: 1, _id: 1 },
    { name: DUE_INDEX, partialFilterExpression: { open: true } },
  );
  const former = (await deliveries(db).indexes()).find(({ name }) => name === 'due');
  if (former) await deliveries(db).dropIndex('due');
}

/** The longest due first; then those of the organizations at their share. Reads only the index, which it could not do for all of them in one query. */
export async function findDueDeliveries(db: Db, except: Except, limit: number): Promise<DueDelivery[]> {
  const { platforms, organizations, integrations, atShare } = except;
  const find = (filter: Filter<DeliveryDocument>): Promise<DueDelivery[]> =>
    deliveries(db)
      .find(
        { ...OPEN, ...IS_DUE, ...filter, ...(integrations.length > 0 && { integration_id: { $nin: [...integrations] } }) },
        { projection: { organization_id: 1, integration_id: 1, platform: 1 }, hint: DUE_INDEX },
      )
      .sort({ run_at: 1 })
      .limit(limit)
      .toArray();
  const notOf = (excluded: readonly string[]) => (excluded.length > 0 ? { platform: { $nin: excluded as Platform[] } } : {});

  const skipped = [...organizations, ...atShare.map(({ organizationId }) => organizationId)];
  const found = await Promise.all([
    find({ ...notOf(platforms), ...(skipped.length > 0 && { organization_id: { $nin: skipped } }) }),
    ...atShare.map(({ organizationId, platforms: more }) => find({ ...notOf([...platforms, ...more]), organization_id: organizationId })),
  ]);
  return found.flat();
}

/** How many have not ended; counts up to `MAX_COUNTED`. */
export async function countOpenDeliveries(db: Db): Promise<number> {
  // Without a range over its first field MongoDB would read the documents too.
  return deliveries(db).countDocuments({ ...OPEN, run_at: { $gte: new Date(0) } }, { hint: DUE_INDEX, limit: MAX_COUNTED });
}

/**
 * How many are due or in progress and not paused; counts up to `MAX_COUNTED`. Those that wait for a retry, a quota or a settle time are not due.
 * @param leaseMs a delivery in progress is due again at the end of its lease
 */
export async function countDueDeliveries(db: Db, paused: Paused, leaseMs: number): Promise<number> {
  if (paused.everything) return 0;
  const isDueOrLeased = { run_at: { $gte: new Date(0) }, $expr: { $lte: ['$run_at', { $add: ['$$NOW', Math.round(leaseMs)] }] } };
  return deliveries(db).countDocuments({ ...OPEN, ...isDueOrLeased, ...notPaused(paused) }, { hint: DUE_INDEX, limit: MAX_COUNTED });
}

const MAX_COUNTED = 100_000;
