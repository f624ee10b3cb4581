import { leasedRows, type LeasedRow } from '@fanfare/leased-work';
import type { ClientSession, Db } from 'mongodb';
import { currentMs, currentTime, newId } from '@fanfare/runtime';
import type { Recipe } from '../domain/recipe.ts';
import { releaseBlob } from '../../blobs/store/blob-rows.ts';

/** A derivative, waiting, ready or failed; one for each media and recipe. Counts as a reference to its blob, like media. */
export interface DerivativeDocument extends LeasedRow {
  organization_id: string;
  business_id: string;
  media_id: string;
  recipe: Recipe;
  /** Hash of the source's bytes and the recipe. Derivatives of an organization with the same key are the same. */
  recipe_key: string;
  /** The field of the media that gets its id when it is ready. */
  becomes?: MediaField;
  created_at: Date;
  /** When it was last used, accurate to a day. */
  last_used_at: Date;
  status: 'waiting' | 'ready' | 'failed';
  /** While it waits: 0 if a request waits for it, which comes first. */
  urgency?: number;
  /** While it waits: when it is due, or when its lease ends. */
  due_at?: Date;
  attempts: number;
  failure?: { code: 'invalid_value' | 'internal_error'; detail: string };
  failed_at?: Date;
  /** The following fields are set when it is ready. */
  blob_id?: string;
  mime_type?: string;
  size_bytes?: number;
  width?: number;
  height?: number;
  duration_ms?: number;
  sha256?: string;
}

export type MediaField = 'thumbnail_id' | 'cover_id' | 'without_location_id';

/** A derivative that can be served. */
export type ReadyDerivative = DerivativeDocument & Content;
export type Content = Required<Pick<DerivativeDocument, 'blob_id' | 'mime_type' | 'size_bytes' | 'width' | 'height' | 'sha256'>> &
  Pick<DerivativeDocument, 'duration_ms'>;

/** The description of a derivative to make. */
export type Wanted = Pick<DerivativeDocument, 'organization_id' | 'business_id' | 'media_id' | 'recipe' | 'recipe_key' | 'becomes'>;

const URGENT = 0;
const WHENEVER = 1;

const derivatives = (db: Db) => db.collection<DerivativeDocument>('derivatives');

export const derivativeRows = leasedRows<DerivativeDocument>({
  of: derivatives,
  due: 'due_at',
  open: { status: 'waiting' },
  sort: { urgency: 1, due_at: 1 },
  countsAttempts: true,
});

export async function createDerivativeIndexes(db: Db): Promise<void> {
  await derivatives(db).createIndex({ media_id: 1, recipe_key: 1 }, { unique: true });
  await derivatives(db).createIndex({ organization_id: 1, recipe_key: 1, status: 1 });
  await derivatives(db).createIndex({ urgency: 1, due_at: 1 }, { partialFilterExpression: { status: 'waiting' } });
  await derivatives(db).createIndex({ becomes: 1, last_used_at: 1 });
}

/** Queues derivatives of a media that is being inserted. */
export async function insertWanted(db: Db, wanted: readonly Wanted[], session: ClientSession): Promise<void> {
  if (wanted.length > 0)
    await derivatives(db).insertMany(
      wanted.map((one) => fresh(one, WHENEVER)),
      { session },
    );
}

/**
 * Finds a derivative, or queues it; concurrent calls queue it once. A waiting one is moved ahead of those that no request waits for. One that failed
 * with an internal error is retried when `retryFailedAfterMs` have passed.
 */
export async function findOrWant(db: Db, wanted: Wanted, retryFailedAfterMs: number): Promise<DerivativeDocument> {
  const which = { media_id: wanted.media_id, recipe_key: wanted.recipe_key };
  const found = await derivatives(db).findOneAndUpdate(
    which,
    { $setOnInsert: fresh(wanted, URGENT) },
    { upsert: true, returnDocument: 'after' },
  );
  if (!found) throw new Error('An upsert returned no document.');
  const { _id, status } = found;
  if (status === 'waiting' && found.urgency !== URGENT) await derivatives(db).updateOne({ _id, status }, { $set: { urgency: URGENT } });
  if (status === 'failed' && found.failure?.code === 'internal_error') {
    const isOver = { $expr: { $lte: ['$failed_at', { $subtract: ['$$NOW', retryFailedAfterMs] }] } };
    const again = { $set: { status: 'waiting', urgency: URGENT, due_at: '$$NOW', attempts: 0 } };
    const retried = await derivatives(db).findOneAndUpdate({ _id, status, ...isOver }, [again, { $unset: ['failure', 'failed_at'] }], {
      returnDocument: 'after',
    });
    return retried ?? found;
  }
  return found;
}

function fresh(wanted: Wanted, urgency: number): DerivativeDocument {
  const at = currentTime();
  return { _id: newId(), ...wanted, created_at: at, last_used_at: at, status: 'waiting', urgency, due_at: new Date(0), attempts: 0 };
}

/** Marks a derivative as failed. @throws LeaseLost */
export async function failDerivative(db: Db, row: DerivativeDocument, failure: NonNullable<DerivativeDocument['failure']>): Promise<void> {
  const failed = { status: 'failed', failure: { $literal: failure }, failed_at: '$$NOW' };
  await derivativeRows.write(db, { row, pipeline: [{ $set: failed }, NO_WORK_LEFT] });
}

/** @throws LeaseLost if another process has the lease, or the media was deleted */
export async function finishDerivative(db: Db, row: DerivativeDocument, content: Content, session: ClientSession): Promise<void> {
  await derivativeRows.write(db, { row, pipeline: [{ $set: { ...content, status: 'ready' } }, NO_WORK_LEFT] }, session);
}

/** `lease` was written by an earlier version. */
const NO_WORK_LEFT = { $unset: ['due_at', 'urgency', 'lease'] };

/** A ready derivative of the organization with the same key, of another media. */
export async function findReadyTwin(db: Db, { organization_id, recipe_key }: DerivativeDocument): Promise<ReadyDerivative | null> {
  return derivatives(db).findOne<ReadyDerivative>({ organization_id, recipe_key, status: 'ready' });
}

export async function findDerivative(db: Db, id: string): Promise<DerivativeDocument | null> {
  return derivatives(db).findOne({ _id: id });
}

/** Not scoped by an owner: only for URLs whose signature was verified. */
export async function findSignedDerivative(db: Db, id: string): Promise<ReadyDerivative | null> {
  return derivatives(db).findOne<ReadyDerivative>({ _id: id, status: 'ready' });
}

const DAY_MS = 24 * 3600_000;

/** Updates `last_used_at`, at most once a day. */
export async function useDerivative(db: Db, { _id, last_used_at }: DerivativeDocument): Promise<void> {
  if (currentMs() - last_used_at.getTime() < DAY_MS) return;
  await derivatives(db).updateOne({ _id }, { $currentDate: { last_used_at: true } });
}

/** The number of derivatives that are queued or being made. */
export async function countWaiting(db: Db): Promise<number> {
  return derivatives(db).countDocuments({ status: 'waiting' });
}

/** Deletes all derivatives of a media. A process that is making one loses its lease. */
export async function dropDerivatives(db: Db, mediaId: string, session: ClientSession): Promise<void> {
  const rows = await derivatives(db).find({ media_id: mediaId }, { session }).toArray();
  await derivatives(db).deleteMany({ media_id: mediaId }, { session });
  for (const row of rows) await release(db, row, session);
}

/** Ids of derivatives that were not used for `unusedForMs`. Those whose id is in a media are never included. */
export async function findUnusedDerivatives(db: Db, unusedForMs: number, limit: number): Promise<string[]> {
  const isOver = { $expr: { $lte: ['$last_used_at', { $subtract: ['$$NOW', unusedForMs] }] } };
  // Reads only the oldest rows, by the index. A filter by time would scan rows that are not due.
  const rows = await derivatives(db)
    .aggregate<{ _id: string }>([
      { $match: { becomes: null, status: { $ne: 'waiting' } } },
      { $sort: { last_used_at: 1 } },
      { $limit: limit },
      { $match: isOver },
      { $project: { _id: 1 } },
    ])
    .toArray();
  return rows.map(({ _id }) => _id);
}

/** Deletes a derivative unless it was used in the meantime. */
export async function dropUnusedDerivative(db: Db, id: string, unusedForMs: number, session: ClientSession): Promise<boolean> {
  const isOver = { $expr: { $lte: ['$last_used_at', { $subtract: ['$$NOW', unusedForMs] }] } };
  const row = await derivatives(db).findOneAndDelete({ _id: id, becomes: { $exists: false }, ...isOver }, { session });
  if (row) await release(db, row, session);
  return row !== null;
}

async function release(db: Db, row: DerivativeDocument, session: ClientSession): Promise<void> {
  const { blob_id: blobId, organization_id: organizationId, size_bytes: sizeBytes = 0 } = row;
  if (blobId !== undefined) await releaseBlob(db, { blobId, organizationId, sizeBytes }, session);
}
