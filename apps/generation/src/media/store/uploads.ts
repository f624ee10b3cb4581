import { leasedRows, type LeasedRow } from '@fanfare/leased-work';
import type { ClientSession, Db } from 'mongodb';
import { filterOf, type Scope } from '../../scope.ts';

/**
 * A media that this service stores in the library for a job or a design. The row is written before the media is, and deleted in the transaction that
 * begins to use it: what has a row when that is due was stored for something that never came about, or is no longer used, and is deleted.
 */
export interface UploadDocument extends LeasedRow {
  organization_id: string;
  business_id: string;
  run_at: Date;
  /** Of what a design no longer shows: posts may. */
  design_id?: string;
}

const uploads = (db: Db) => db.collection<UploadDocument>('uploads');

export const uploadRows = leasedRows<UploadDocument>({ of: uploads, due: 'run_at', countsAttempts: true });

export async function createUploadIndexes(db: Db): Promise<void> {
  await uploads(db).createIndex({ run_at: 1 });
}

/** Before a media is stored. A repeat puts off its deletion. */
export async function noteUpload(db: Db, { organizationId, businessId }: Scope, mediaId: string, keptMs: number): Promise<void> {
  const until = { $add: ['$$NOW', keptMs] };
  const scope = filterOf({ organizationId, businessId });
  await uploads(db).updateOne({ _id: mediaId }, [{ $set: { ...scope, run_at: until } }], { upsert: true });
}

/** In the transaction that begins to use them. */
export async function keepUploads(db: Db, mediaIds: readonly string[], session: ClientSession): Promise<void> {
  if (mediaIds.length > 0) await uploads(db).deleteMany({ _id: { $in: [...mediaIds] } }, { session });
}

/** In the transaction in which a design stops showing them. They are deleted after a while, unless a post shows them then. */
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

/** In the transaction that gives them up: they are deleted at once. */
export async function discardUploads(db: Db, scope: Scope, mediaIds: readonly string[], session?: ClientSession): Promise<void> {
  if (mediaIds.length === 0) return;
  const operations = mediaIds.map((_id) => ({
    updateOne: { filter: { _id }, update: [{ $set: { ...filterOf(scope), run_at: '$$NOW' } }], upsert: true },
  }));
  await uploads(db).bulkWrite(operations, { ordered: false, ...(session && { session }) });
}
