import { leasedRows, type LeasedRow } from '@fanfare/leased-work';
import type { ClientSession, Db } from 'mongodb';
import { filterOf, type Scope } from '../../scope.ts';

/**
 * A media file that this service stores in the library for a job or a design. The row is written before the file, and deleted in the transaction that uses
 * the file. The files of rows that become due are unused, and are deleted.
 */
export interface UploadDocument extends LeasedRow {
  organization_id: string;
  business_id: string;
  run_at: Date;
  /** For files that a design no longer uses, but posts may. */
  design_id?: string;
}

const uploads = (db: Db) => db.collection<UploadDocument>('uploads');

export const uploadRows = leasedRows<UploadDocument>({ of: uploads, due: 'run_at', countsAttempts: true });

export async function createUploadIndexes(db: Db): Promise<void> {
  await uploads(db).createIndex({ run_at: 1 });
}

/** Call before storing media files. A repeated call postpones their deletion. */
export async function noteUploads(
  db: Db,
  { organizationId, businessId }: Scope,
  mediaIds: readonly string[],
  keptMs: number,
): Promise<void> {
  if (mediaIds.length === 0) return;
  const change = { ...filterOf({ organizationId, businessId }), run_at: { $add: ['$$NOW', keptMs] } };
  const operations = mediaIds.map((_id) => ({ updateOne: { filter: { _id }, update: [{ $set: change }], upsert: true } }));
  await uploads(db).bulkWrite(operations, { ordered: false });
}

/** Call in the transaction that uses the files. */
export async function keepUploads(db: Db, mediaIds: readonly string[], session: ClientSession): Promise<void> {
  if (mediaIds.length > 0) await uploads(db).deleteMany({ _id: { $in: [...mediaIds] } }, { session });
}

/** Call in the transaction in which a design stops using the files. They are deleted later, unless a post uses them then. */
export async function retireRenderings(
  db: Db,
  scope: Scope,
  designId: string,
  { mediaIds, inMs }: { mediaIds: readonly string[]; inMs: number },
  session: ClientSession,
): Promise<void> {
  if (mediaIds.length === 0) return;
  const until = { $add: ['$$NOW', inMs] };
  const operations = mediaIds.map((_id) => ({
    updateOne: { filter: { _id }, update: [{ $set: { ...filterOf(scope), design_id: designId, run_at: until } }], upsert: true },
  }));
  await uploads(db).bulkWrite(operations, { ordered: false, session });
}

/** Call in the transaction that gives the files up. They are deleted immediately. */
export async function discardUploads(db: Db, scope: Scope, mediaIds: readonly string[], session?: ClientSession): Promise<void> {
  if (mediaIds.length === 0) return;
  const operations = mediaIds.map((_id) => ({
    updateOne: { filter: { _id }, update: [{ $set: { ...filterOf(scope), run_at: '$$NOW' } }], upsert: true },
  }));
  await uploads(db).bulkWrite(operations, { ordered: false, ...(session && { session }) });
}
