import { leasedRows, raisedFence, type LeasedRow } from '@fanfare/leased-work';
import { literals } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';

/** An export of everything of an organization. The archive, with the same id, is in the library. */
export interface ExportDocument extends LeasedRow {
  organization_id: string;
  /** The actor. */
  requested_by: string;
  state: 'pending' | 'completed' | 'failed';
  created_at: Date;
  /** When to make it; while a process makes it, the end of its lease. Database time. Absent once it has ended. */
  run_at?: Date;
  ended_at?: Date;
  /** Of a completed one: when the archive is deleted. */
  expires_at?: Date;
  size_bytes?: number;
  /** Of the archive, in hex. */
  sha256?: string;
  /** When this row is deleted. */
  remove_at: Date;
}

const DAY_MS = 24 * 60 * 60_000;
/** Rows are counted for a day, and an archive is kept for at most 31. */
const ROW_KEPT_MS = 32 * DAY_MS;

const exports = (db: Db) => db.collection<ExportDocument>('exports');

export const exportRows = leasedRows<ExportDocument>({ of: exports, due: 'run_at', open: { state: 'pending' }, countsAttempts: true });

export async function createExportIndexes(db: Db): Promise<void> {
  await exports(db).createIndexes([
    { key: { run_at: 1 }, partialFilterExpression: { run_at: { $exists: true } } },
    { key: { organization_id: 1, created_at: -1 } },
    // One at a time.
    { key: { organization_id: 1 }, name: 'pending_of', unique: true, partialFilterExpression: { state: 'pending' } },
    { key: { remove_at: 1 }, expireAfterSeconds: 0 },
  ]);
}

/** The newest of an organization. */
export async function findLatestExport(db: Db, organizationId: string): Promise<ExportDocument | null> {
  return exports(db).findOne({ organization_id: organizationId }, { sort: { created_at: -1, _id: -1 } });
}

/** When those of an organization that count were begun: the newest first, of the last day. */
export async function findExportTimes(db: Db, organizationId: string, session: ClientSession): Promise<Date[]> {
  const lately = { $expr: { $gt: ['$created_at', { $subtract: ['$$NOW', DAY_MS] }] } };
  const found = await exports(db)
    .find({ organization_id: organizationId, state: { $ne: 'failed' }, ...lately }, { session })
    .sort({ created_at: -1 })
    .toArray();
  return found.map(({ created_at }) => created_at);
}

/** @throws MongoServerError (duplicate key) if one is being made */
export async function beginExport(
  db: Db,
  { _id, ...fields }: Pick<ExportDocument, '_id' | 'organization_id' | 'requested_by'>,
  session: ClientSession,
): Promise<void> {
  const times = { created_at: '$$NOW', run_at: '$$NOW', remove_at: { $add: ['$$NOW', ROW_KEPT_MS] } };
  const begun = { $mergeObjects: [{ $literal: { _id, ...fields, state: 'pending' } }, { ...times, fence: raisedFence }] };
  await exports(db).updateOne({ _id }, [{ $replaceWith: begun }], { upsert: true, session });
  exportRows.wakeWorkers(db, session);
}

/** What the library has stored. @throws LeaseLost */
export async function completeExport(
  db: Db,
  row: ExportDocument,
  archive: { readonly sizeBytes: number; readonly sha256: string; readonly expiresAt: Date },
): Promise<void> {
  const { sizeBytes, sha256, expiresAt } = archive;
  const ended = { state: 'completed', size_bytes: sizeBytes, sha256, expires_at: expiresAt };
  await exportRows.write(db, { row, pipeline: [{ $set: { ...literals(ended), ended_at: '$$NOW' } }, { $unset: 'run_at' }] });
}

/** @throws LeaseLost */
export async function failExport(db: Db, row: ExportDocument): Promise<void> {
  await exportRows.write(db, { row, pipeline: [{ $set: { state: 'failed', ended_at: '$$NOW' } }, { $unset: 'run_at' }] });
}

/** Its archive is deleted. */
export async function forgetExport(db: Db, id: string): Promise<void> {
  await exports(db).deleteOne({ _id: id, state: 'completed' });
}
