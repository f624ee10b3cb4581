import type { ClientSession, Db } from 'mongodb';
import type { Scope } from '../../scope.ts';

/** A resumable upload, whose bytes lie in a blob of its own until they become a media. How far it is, the blob store says: this row does not. */
export interface TusUploadDocument {
  /** Of the media to be. */
  _id: string;
  organization_id: string;
  business_id: string;
  blob_id: string;
  size_bytes: number;
  /** `Upload-Metadata` as it came: the protocol shows it again. */
  metadata: string;
  alt_text: string;
  description: string;
  file_name: string;
  folder_id?: string;
  /** What the plan allowed when it was created, as in the call metadata. */
  storage_limits?: string;
  flow_id: string;
  created_at: Date;
  expires_at: Date;
  /**
   * - `open`: bytes may come
   * - `complete`: an intake has the blob; kept so that a sender who did not hear of it can ask
   * - `given_up`: nobody wants it; the blob goes, and goes once more when no writer can be left
   */
  state: 'open' | 'complete' | 'given_up';
  /** When the sweep looks at it next. */
  check_at: Date;
}

type NewTusUpload = Omit<TusUploadDocument, 'state' | 'created_at' | 'expires_at' | 'check_at'>;

/** The rest of an upload may be sent for this long after its creation. */
export const TUS_UPLOAD_LIVES_MS = 48 * 60 * 60_000;
/** A writer that is at work when the blob is removed finds out with its next batch, well within this. */
const REMOVE_AGAIN_MS = 60 * 60_000;
const CHECK_MS = 10 * 60_000;
/** Sooner while somebody sends: its process may be killed between the last byte and the note that all is there. */
const CHECK_SENDING_MS = 30_000;

const uploads = (db: Db) => db.collection<TusUploadDocument>('tus_uploads');
const inMs = (ms: number) => ({ $add: ['$$NOW', ms] });

export async function createTusUploadIndexes(db: Db): Promise<void> {
  await uploads(db).createIndex({ check_at: 1 });
  await uploads(db).createIndex({ organization_id: 1, state: 1 });
}

/** Returns what is there, which may have been created by a repeat of the same request. */
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

/** Null too for one that was given up. */
export async function findTusUpload(db: Db, { organizationId, businessId }: Scope, id: string): Promise<TusUploadDocument | null> {
  return uploads(db).findOne({
    _id: id,
    organization_id: organizationId,
    business_id: businessId,
    state: { $ne: 'given_up' },
    $expr: { $gt: ['$expires_at', '$$NOW'] },
  });
}

/** To be called before bytes are taken in. */
export async function noteSending(db: Db, id: string): Promise<void> {
  await uploads(db).updateOne({ _id: id, state: 'open' }, [{ $set: { check_at: inMs(CHECK_SENDING_MS) } }]);
}

/** All bytes are there. False when somebody said so before, or it was given up. */
export async function completeTusUpload(db: Db, id: string, session: ClientSession): Promise<boolean> {
  const done = [{ $set: { state: 'complete', check_at: '$expires_at' } }];
  const { matchedCount } = await uploads(db).updateOne({ _id: id, state: 'open' }, done, { session });
  return matchedCount === 1;
}

/** False when it is complete, or was given up before. The caller removes the blob. */
export async function abandonTusUpload(db: Db, id: string): Promise<boolean> {
  const gone = [{ $set: { state: 'given_up', check_at: inMs(REMOVE_AGAIN_MS) } }];
  const { matchedCount } = await uploads(db).updateOne({ _id: id, state: 'open' }, gone);
  return matchedCount === 1;
}

/** Those that the sweep has to look at, and whether they have expired. */
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

/** Of an upload whose state has not changed since it was read: when it becomes complete, it gets a time of its own. */
export async function checkLater(db: Db, { _id, state }: Pick<TusUploadDocument, '_id' | 'state'>): Promise<void> {
  const [later, isExpired] = [inMs(CHECK_MS), { $lte: ['$expires_at', '$$NOW'] }];
  await uploads(db).updateOne({ _id, state }, [{ $set: { check_at: { $cond: [isExpired, later, { $min: [later, '$expires_at'] }] } } }]);
}

export async function deleteTusUpload(db: Db, id: string): Promise<void> {
  await uploads(db).deleteOne({ _id: id });
}
