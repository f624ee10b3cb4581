import type { ClientSession, Db } from 'mongodb';
import type { Scope } from '../../scope.ts';

/** A resumable upload. Its bytes are in its own blob until it becomes a media. The row has no offset: only the blob store knows it. */
export interface TusUploadDocument {
  /** Id of the future media. */
  _id: string;
  organization_id: string;
  business_id: string;
  blob_id: string;
  size_bytes: number;
  /** The unchanged `Upload-Metadata`, which the protocol returns. */
  metadata: string;
  alt_text: string;
  description: string;
  file_name: string;
  folder_id?: string;
  /** The storage limits at the time of the creation, as in the call metadata. */
  storage_limits?: string;
  flow_id: string;
  /** Who began it; absent in documents of older versions. */
  actor?: string;
  request_id?: string;
  created_at: Date;
  expires_at: Date;
  /**
   * - `open`: accepts bytes
   * - `complete`: an intake owns the blob; the row is kept for clients that did not get the last response
   * - `given_up`: canceled or expired; the blob is deleted, and once more later, when no writer can be left
   */
  state: 'open' | 'complete' | 'given_up';
  /** When the sweep checks it next. */
  check_at: Date;
}

type NewTusUpload = Omit<TusUploadDocument, 'state' | 'created_at' | 'expires_at' | 'check_at'>;

/** How long after its creation an upload can be continued. */
export const TUS_UPLOAD_LIVES_MS = 48 * 60 * 60_000;
/** When to delete the blob again. Running writers notice the first deletion at their next batch, much earlier than this. */
const REMOVE_AGAIN_MS = 60 * 60_000;
const CHECK_MS = 10 * 60_000;
/** Shorter during a request: the process may be killed between the last byte and the completion of the upload. */
const CHECK_SENDING_MS = 30_000;

const uploads = (db: Db) => db.collection<TusUploadDocument>('tus_uploads');
const inMs = (ms: number) => ({ $add: ['$$NOW', ms] });

export async function createTusUploadIndexes(db: Db): Promise<void> {
  await uploads(db).createIndex({ check_at: 1 });
  await uploads(db).createIndex({ organization_id: 1, state: 1 });
}

/** Inserts an upload, or returns the existing one of a repeated request. */
export async function insertTusUpload(db: Db, { _id, ...upload }: NewTusUpload): Promise<TusUploadDocument> {
  const times = { created_at: '$$NOW', expires_at: inMs(TUS_UPLOAD_LIVES_MS), check_at: inMs(CHECK_MS) };
  const fresh = { $mergeObjects: [{ $literal: { ...upload, state: 'open' } }, times, '$$ROOT'] };
  const row = await uploads(db).findOneAndUpdate(
    { _id },
    [{ $replaceWith: { $cond: [{ $eq: [{ $type: '$state' }, 'missing'] }, fresh, '$$ROOT'] } }],
    { upsert: true, returnDocument: 'after' },
  );
  if (!row) throw new Error('An upsert returned no document.');
  return row;
}

/** Returns null also for canceled and expired uploads. */
export async function findTusUpload(db: Db, { organizationId, businessId }: Scope, id: string): Promise<TusUploadDocument | null> {
  return uploads(db).findOne({
    _id: id,
    organization_id: organizationId,
    business_id: businessId,
    state: { $ne: 'given_up' },
    $expr: { $gt: ['$expires_at', '$$NOW'] },
  });
}

/** Schedules an early check by the sweep. Must be called before bytes are received. */
export async function noteSending(db: Db, id: string): Promise<void> {
  await uploads(db).updateOne({ _id: id, state: 'open' }, [{ $set: { check_at: inMs(CHECK_SENDING_MS) } }]);
}

/** Marks an upload as complete. Returns false if it already was, or was canceled. */
export async function completeTusUpload(db: Db, id: string, session: ClientSession): Promise<boolean> {
  const done = [{ $set: { state: 'complete', check_at: '$expires_at' } }];
  const { matchedCount } = await uploads(db).updateOne({ _id: id, state: 'open' }, done, { session });
  return matchedCount === 1;
}

/** Marks an upload as canceled. Returns false if it is complete, or already was canceled. The caller deletes the blob. */
export async function abandonTusUpload(db: Db, id: string): Promise<boolean> {
  const canceled = [{ $set: { state: 'given_up', check_at: inMs(REMOVE_AGAIN_MS) } }];
  const { matchedCount } = await uploads(db).updateOne({ _id: id, state: 'open' }, canceled);
  return matchedCount === 1;
}

/** The uploads that are due for a check, and whether they have expired. */
export async function dueTusUploads(db: Db, limit: number): Promise<(TusUploadDocument & { is_expired: boolean })[]> {
  return uploads(db)
    .aggregate<TusUploadDocument & { is_expired: boolean }>([
      { $match: { $expr: { $lte: ['$check_at', '$$NOW'] } } },
      { $sort: { check_at: 1 } },
      { $limit: limit },
      { $set: { is_expired: { $lte: ['$expires_at', '$$NOW'] } } },
    ])
    .toArray();
}

/** Schedules the next check, unless the state has changed in the meantime: completion sets a time of its own. */
export async function checkLater(db: Db, { _id, state }: Pick<TusUploadDocument, '_id' | 'state'>): Promise<void> {
  const [later, isExpired] = [inMs(CHECK_MS), { $lte: ['$expires_at', '$$NOW'] }];
  await uploads(db).updateOne({ _id, state }, [{ $set: { check_at: { $cond: [isExpired, later, { $min: [later, '$expires_at'] }] } } }]);
}

export async function deleteTusUpload(db: Db, id: string): Promise<void> {
  await uploads(db).deleteOne({ _id: id });
}
