import type { Platform } from '@fanfare/connectors';
import type { RemovalStatus } from '@fanfare/contracts/publisher/events';
import { leasedRows, raisedFence, type LeasedRow } from '@fanfare/leased-work';
import { literals } from '@fanfare/mongo';
import { aheadMs, currentTime, now } from '@fanfare/runtime';
import type { ClientSession, Db, Document } from 'mongodb';
import type { ErrorType } from '../../deliveries/domain/error-type.ts';

/** The removal of one published post from its platform. */
export interface RemovalDocument extends LeasedRow {
  organization_id: string;
  business_id: string;
  post_id: string;
  delivery_id: string;
  integration_id: string;
  platform: Platform;
  /** Absent if the platform never reported it. */
  publish_id?: string;
  flow_id: string;
  /** It takes a post back because another account of its publication failed: its end is a result of the delivery, and no unpublishing. */
  takes_back?: true;
  created_at: Date;
  updated_at: Date;
  revision: number;
  status: RemovalStatus;
  /** Whether there is work left. */
  open: boolean;
  /** When it is due; while it is leased, when the lease ends. */
  run_at: Date;
  failures: number;
  error_type?: ErrorType;
  /** Why it waits or failed. */
  detail?: string;
}

const removals = (db: Db) => db.collection<RemovalDocument>('removals');

export const removalRows = leasedRows<RemovalDocument>({ of: removals, due: 'run_at', open: { open: true }, organizationTime: true });

export async function createRemovalIndexes(db: Db): Promise<void> {
  await removals(db).createIndex({ run_at: 1 }, { name: 'due', partialFilterExpression: { open: true } });
}

/** Ended ones are kept for 90 days: content has their results. */
export async function createEndedRemovalIndex(db: Db): Promise<void> {
  await removals(db).createIndex(
    { updated_at: 1 },
    { name: 'ended', expireAfterSeconds: 90 * 24 * 3600, partialFilterExpression: { open: false } },
  );
}

export type NewRemoval = Pick<
  RemovalDocument,
  | '_id'
  | 'organization_id'
  | 'business_id'
  | 'post_id'
  | 'delivery_id'
  | 'integration_id'
  | 'platform'
  | 'publish_id'
  | 'flow_id'
  | 'takes_back'
>;

/** Inserts due removals. Rows that exist stay unchanged: the removal was requested before. */
export async function insertRemovals(db: Db, requested: readonly NewRemoval[], session: ClientSession): Promise<void> {
  if (requested.length === 0) return;
  const fresh = {
    run_at: currentTime(),
    revision: 0,
    status: 'REMOVAL_STATUS_PENDING',
    open: true,
    failures: 0,
  } as const;
  const inserts = requested.map(({ _id, ...rest }) => {
    const [at, clock_ms] = [now(rest.organization_id), aheadMs(rest.organization_id)];
    const row = { ...rest, ...fresh, created_at: at, updated_at: at, ...(clock_ms > 0 && { clock_ms }) };
    return { updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true } };
  });
  await removals(db).bulkWrite(inserts, { session });
}

/** How a removal ended. */
export type RemovalEnd =
  | { readonly status: 'REMOVAL_STATUS_REMOVED' }
  | { readonly status: 'REMOVAL_STATUS_FAILED'; readonly error_type: ErrorType; readonly detail: string };

/** @returns the row with the revision of its event @throws LeaseLost */
export const endRemoval = (db: Db, row: RemovalDocument, end: RemovalEnd, session: ClientSession): Promise<RemovalDocument> =>
  removalRows.write(
    db,
    { row, pipeline: [{ $unset: ['error_type', 'detail'] }, { $set: { ...literals({ ...end, open: false }), ...raised } }] },
    session,
  );

/**
 * Releases the lease after a failure, and reports the reason of a long wait.
 * @returns the row with the revision of its event
 * @throws LeaseLost
 */
export const postponeAndReport = (
  db: Db,
  row: RemovalDocument,
  { inMs, detail }: { inMs: number; detail: string },
  session: ClientSession,
): Promise<RemovalDocument> => {
  const released = { run_at: { $add: ['$$NOW', Math.round(inMs) + aheadMs(row.organization_id)] }, fence: raisedFence };
  return removalRows.write(db, { row, pipeline: [{ $set: { ...failedOnce, ...literals({ detail }), ...released, ...raised } }] }, session);
};

/** Releases the lease after a failure. @throws LeaseLost */
export const postponeAfterFailure = (db: Db, row: RemovalDocument, inMs: number): Promise<void> =>
  removalRows.postpone(db, row, inMs, [{ $set: failedOnce }]);

const raised: Document = { revision: { $add: ['$revision', 1] }, updated_at: '$$NOW' };
const failedOnce: Document = { failures: { $add: ['$failures', 1] } };
