import type { Deletion, DeletionState } from '@fanfare/contracts/gateway';
import { leasedRows, raisedFence, type LeasedRow } from '@fanfare/leased-work';
import { literals, readerById } from '@fanfare/mongo';
import type { ClientSession, Db, Document } from 'mongodb';

/** The deletion of a business or an organization. What is erased leaves a row that says when, and nothing about people. */
export interface DeletionDocument extends LeasedRow {
  // The id is that of the business or the organization.
  kind: 'business' | 'organization';
  organization_id: string;
  /**
   * - `pending`: nothing is published; it can be restored until `final_at`
   * - `cancelled`: it was restored
   * - `erasing`: everything is being erased, which cannot be cancelled
   * - `erased`: nothing is left
   */
  state: 'pending' | 'cancelled' | 'erasing' | 'erased';
  /** Raised by each request and cancellation: services ignore calls with an older one. */
  revision: number;
  /** The revision that the services know; absent until they know the first. */
  told_revision?: number;
  requested_at: Date;
  /** The actor and their name; absent once it is erased. */
  requested_by?: string;
  requested_by_name?: string;
  /** For mails; absent once it is erased. */
  name?: string;
  final_at: Date;
  /** When there is something to do next; while a process does it, the end of its lease. Absent if there is nothing to do. Database time. */
  run_at?: Date;
  /** The businesses that are erased; with an organization, all that it had. */
  business_ids?: string[];
  /** The services that have erased everything. */
  done?: string[];
  /** What it waits for, for operators. */
  waiting_for?: string;
  erased_at?: Date;
}

const deletions = (db: Db) => db.collection<DeletionDocument>('deletions');

export const deletionRows = leasedRows<DeletionDocument>({ of: deletions, due: 'run_at' });

export async function createDeletionIndexes(db: Db): Promise<void> {
  await deletions(db).createIndexes([
    { key: { run_at: 1 }, partialFilterExpression: { run_at: { $exists: true } } },
    { key: { organization_id: 1 } },
    { key: { state: 1, requested_at: -1, _id: -1 } },
    { key: { erased_at: 1 }, partialFilterExpression: { erased_at: { $exists: true } } },
  ]);
}

/** What is deleted, and who requests it. */
export type NewDeletion = Pick<DeletionDocument, '_id' | 'kind' | 'organization_id' | 'name' | 'requested_by' | 'requested_by_name'>;

/** The request calls the services itself; if its process dies before, another one does after this time. */
const CLOSURES_WITHIN_MS = 5_000;

/** Every request that reads a business or an organization needs it. */
export const findDeletion = readerById(deletions);

/** The same as its transaction sees it. */
export const findDeletionIn = (db: Db, id: string, session: ClientSession): Promise<DeletionDocument | null> =>
  deletions(db).findOne({ _id: id }, { session });

/** Begins a deletion. The caller has checked in this transaction that there is none. @param afterMs how long it can be restored */
export async function beginDeletion(
  db: Db,
  { _id, ...fields }: NewDeletion,
  afterMs: number,
  session: ClientSession,
): Promise<DeletionDocument> {
  const times = {
    requested_at: '$$NOW',
    final_at: { $add: ['$$NOW', afterMs] },
    run_at: { $add: ['$$NOW', Math.min(afterMs, CLOSURES_WITHIN_MS)] },
  };
  const revision = { revision: { $add: [{ $ifNull: ['$revision', 0] }, 1] }, fence: raisedFence };
  const begun = { $mergeObjects: [{ $literal: { _id, ...defined(fields), state: 'pending' } }, times, revision] };
  return changed(
    await deletions(db).findOneAndUpdate({ _id }, [{ $replaceWith: begun }], { upsert: true, returnDocument: 'after', session }),
  );
}

/** Cancels a pending deletion. @returns null if it is final by the database's clock, or there is none */
export async function cancelDeletion(db: Db, id: string, session: ClientSession): Promise<DeletionDocument | null> {
  const change = {
    state: 'cancelled',
    revision: { $add: ['$revision', 1] },
    run_at: { $add: ['$$NOW', CLOSURES_WITHIN_MS] },
    fence: raisedFence,
  };
  return deletions(db).findOneAndUpdate(
    { _id: id, state: 'pending', $expr: { $gt: ['$final_at', '$$NOW'] } },
    [{ $set: change }, { $unset: ['name', 'requested_by', 'requested_by_name'] }],
    { returnDocument: 'after', session },
  );
}

/** Makes a pending deletion final now. @returns null if there is none */
export async function expediteDeletion(db: Db, id: string, session: ClientSession): Promise<DeletionDocument | null> {
  const now = { final_at: { $min: ['$final_at', '$$NOW'] }, run_at: '$$NOW', fence: raisedFence };
  const final = await deletions(db).findOneAndUpdate({ _id: id, state: 'pending' }, [{ $set: now }], { returnDocument: 'after', session });
  deletionRows.wakeWorkers(db, session);
  return final;
}

/** The services know this revision. What is pending is due when it is final. */
export async function recordClosuresSet(db: Db, { _id, revision }: Pick<DeletionDocument, '_id' | 'revision'>): Promise<void> {
  const next = { $switch: { branches: [{ case: { $eq: ['$state', 'pending'] }, then: '$final_at' }], default: '$$REMOVE' } };
  await deletions(db).updateOne({ _id, revision, state: { $in: ['pending', 'cancelled'] } }, [
    { $set: { told_revision: revision, run_at: next, fence: raisedFence } },
  ]);
}

/** Those that are not final, those that are being erased, and those that ended less than a day ago. */
export async function listCurrentDeletions(db: Db): Promise<DeletionDocument[]> {
  const lately = { erased_at: { $exists: true }, $expr: { $gt: ['$erased_at', { $subtract: ['$$NOW', DAY_MS] }] } };
  return deletions(db)
    .find({ $or: [{ state: { $in: ['pending', 'erasing'] } }, lately] })
    .toArray();
}

const DAY_MS = 24 * 60 * 60_000;

/** Whether something of the organization is being erased now. */
export async function isErasing(db: Db, organizationId: string): Promise<boolean> {
  return (await deletions(db).countDocuments({ organization_id: organizationId, state: 'erasing' }, { limit: 1 })) > 0;
}

/** For operators, the newest first: those of an organization, or all that are not cancelled. */
export async function listDeletions(db: Db, organizationId: string | undefined, limit: number): Promise<DeletionDocument[]> {
  return deletions(db)
    .find({ state: { $in: ['pending', 'erasing', 'erased'] }, ...(organizationId !== undefined && { organization_id: organizationId }) })
    .sort({ requested_at: -1, _id: -1 })
    .limit(limit)
    .toArray();
}

/** Writes fields if this process still has the lease; undefined ones are removed. @throws LeaseLost */
export async function writeDeletion(
  db: Db,
  row: DeletionDocument,
  change: { readonly [K in keyof DeletionDocument]?: DeletionDocument[K] | undefined },
  session?: ClientSession,
): Promise<DeletionDocument> {
  const removed = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const pipeline: Document[] = [{ $set: literals(defined(change)) }, ...(removed.length > 0 ? [{ $unset: removed }] : [])];
  return deletionRows.write(db, { row, pipeline }, session);
}

/** What remains of an erased business or organization: ids and times. It is swept once more after a while. @throws LeaseLost */
export async function endDeletion(db: Db, row: DeletionDocument, sweepInMs: number, session: ClientSession): Promise<DeletionDocument> {
  const personal = ['name', 'requested_by', 'requested_by_name', 'waiting_for', 'done'];
  const ended = { state: 'erased', erased_at: { $ifNull: ['$erased_at', '$$NOW'] }, run_at: { $add: ['$$NOW', sweepInMs] } };
  return deletionRows.write(db, { row, pipeline: [{ $set: ended }, { $unset: personal }] }, session);
}

/** Nothing is left to do. @throws LeaseLost */
export async function closeDeletion(db: Db, row: DeletionDocument): Promise<void> {
  await deletionRows.write(db, { row, pipeline: [{ $unset: ['run_at', 'business_ids', 'done', 'waiting_for', 'attempts'] }] });
}

/** The rows of the businesses of an erased organization. @returns how many */
export async function deleteDeletionsOfBusinesses(db: Db, organizationId: string): Promise<number> {
  return (await deletions(db).deleteMany({ organization_id: organizationId, kind: 'business' })).deletedCount;
}

const STATES: Readonly<Record<DeletionDocument['state'], DeletionState>> = {
  pending: 'DELETION_STATE_PENDING',
  cancelled: 'DELETION_STATE_UNSPECIFIED',
  erasing: 'DELETION_STATE_ERASING',
  erased: 'DELETION_STATE_ERASED',
};

export function toDeletion({
  _id,
  organization_id,
  kind,
  state,
  requested_at,
  requested_by,
  final_at,
  waiting_for,
  erased_at,
}: DeletionDocument): Deletion {
  return {
    id: _id,
    organizationId: organization_id,
    isOrganization: kind === 'organization',
    state: STATES[state],
    requestedAt: requested_at,
    requestedBy: requested_by,
    finalAt: final_at,
    waitingFor: waiting_for,
    erasedAt: erased_at,
  };
}

const defined = (fields: object) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function changed(document: DeletionDocument | null): DeletionDocument {
  if (!document) throw new Error('An upsert returned no document.');
  return document;
}
