import type { Media } from '@fanfare/contracts/library';
import type { ErrorCode } from '@fanfare/errors';
import { leasedRows, raisedFence, type LeasedRow } from '@fanfare/leased-work';
import type { ClientSession, Db, Filter } from 'mongodb';
import type { Scope } from '../../scope.ts';

/** Why an intake came to nothing, in the words of an API error. */
export interface IntakeFailure {
  code: ErrorCode;
  /** For the caller. */
  detail: string;
}

/** What the server said of the bytes that are staged: with it the rest can be asked for, if they are still the same. */
interface FetchedDocument {
  /** Bytes in all, where the server said so. */
  total_bytes?: number;
  /** A strong ETag, or a date: what If-Range takes. */
  validator?: string;
}

/** Bytes on their way to become a media: they are being fetched, or lie staged and are looked at. The media itself is inserted when all is done. */
/** Its id is that of the media to be. */
export interface IntakeDocument extends LeasedRow {
  organization_id: string;
  business_id: string;
  kind: 'url' | 'upload';
  /** What is fetched; only of kind `url`. */
  url?: string;
  alt_text: string;
  description?: string;
  folder_id?: string | null;
  file_name?: string;
  /** What the plan allowed when it was asked for, as in the call metadata. */
  storage_limits?: string;
  flow_id?: string;
  /** Where its bytes lie until they are a media's: all of them of an upload, those that came so far of a URL. */
  staging_blob_id?: string;
  fetched?: FetchedDocument;
  created_at: Date;
  updated_at: Date;
  /** Whether there is work left: fetching and storing, or, with a failure, removing what is staged. */
  open: boolean;
  /** When it is due; while a process has it, when its lease ends. */
  run_at: Date;
  failure?: IntakeFailure;
  /** Nobody wants it any more: it answers to nobody, and what is staged goes. */
  given_up?: true;
  /** When a failure is forgotten. Only with nothing left to do. */
  expires_at?: Date;
}

/** What whoever begins an intake says of it. */
type NewIntake = Pick<
  IntakeDocument,
  | '_id'
  | 'organization_id'
  | 'business_id'
  | 'kind'
  | 'url'
  | 'alt_text'
  | 'description'
  | 'folder_id'
  | 'file_name'
  | 'storage_limits'
  | 'flow_id'
  | 'staging_blob_id'
  | 'fetched'
>;

/** How long callers can read why one failed. */
const KEPT_MS = 7 * 24 * 60 * 60_000;

const intakes = (db: Db) => db.collection<IntakeDocument>('intakes');
const OPEN: Filter<IntakeDocument> = { open: true };

export const intakeRows = leasedRows<IntakeDocument>({ of: intakes, due: 'run_at', open: OPEN, countsAttempts: true });

export async function createIntakeIndexes(db: Db): Promise<void> {
  await intakes(db).createIndex({ run_at: 1 }, { name: 'due', partialFilterExpression: { open: true } });
  await intakes(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

/** It is due at once. One that is there already stays as it is: it was asked for before. Whoever inserts it wakes the loop. */
export async function insertIntake(db: Db, { _id, ...rest }: NewIntake, session?: ClientSession): Promise<void> {
  // `failures` is for replicas of the version before, which may take it.
  const times = { created_at: '$$NOW', updated_at: '$$NOW', run_at: '$$NOW' };
  const fresh = { $mergeObjects: [{ $literal: { ...rest, open: true, fence: 0, attempts: 0, failures: 0 } }, times, '$$ROOT'] };
  await intakes(db).updateOne({ _id }, [{ $replaceWith: { $cond: [{ $eq: [{ $type: '$fence' }, 'missing'] }, fresh, '$$ROOT'] } }], {
    upsert: true,
    ...(session && { session }),
  });
}

/** One that is under way or has failed. */
export async function findIntake(db: Db, scope: Scope, id: string): Promise<IntakeDocument | null> {
  const { organizationId, businessId } = scope;
  return intakes(db).findOne({ _id: id, organization_id: organizationId, business_id: businessId, given_up: { $exists: false } });
}

/**
 * Gives one up, whoever works at it: it will not become a media, and what is staged goes. Whoever calls this wakes the loop.
 * @returns false when there is none
 */
export async function giveUpIntake(db: Db, scope: Scope, id: string, session?: ClientSession): Promise<boolean> {
  const { organizationId, businessId } = scope;
  const { matchedCount } = await intakes(db).updateOne(
    { _id: id, organization_id: organizationId, business_id: businessId, given_up: { $exists: false } },
    [{ $set: { given_up: true, open: true, run_at: '$$NOW', fence: raisedFence, updated_at: '$$NOW' } }, { $unset: ['expires_at'] }],
    session && { session },
  );
  return matchedCount === 1;
}

/** Writes down what is staged, before the first byte of it. @throws LeaseLost */
export async function saveStaging(
  db: Db,
  row: IntakeDocument,
  { staging_blob_id, fetched }: Required<Pick<IntakeDocument, 'staging_blob_id' | 'fetched'>>,
): Promise<IntakeDocument> {
  const pipeline = [{ $set: { staging_blob_id, fetched: { $literal: fetched }, updated_at: '$$NOW' } }];
  return intakeRows.write(db, { row, pipeline });
}

/** Makes sure that what is staged is nobody else's, before it is removed. @throws LeaseLost */
export async function checkStagingLease(db: Db, row: IntakeDocument): Promise<void> {
  await intakeRows.write(db, { row, pipeline: [{ $set: { updated_at: '$$NOW' } }] });
}

/** It came to nothing. What is staged is still to be removed, under the same lease, and that has attempts of its own. @throws LeaseLost */
export async function failIntake(db: Db, row: IntakeDocument, failure: IntakeFailure, session?: ClientSession): Promise<IntakeDocument> {
  const pipeline = [{ $set: { failure: { $literal: failure }, attempts: 0, updated_at: '$$NOW' } }];
  return intakeRows.write(db, { row, pipeline }, session);
}

/** Nothing of a failure is staged any more: what is left is what callers read. @throws LeaseLost */
export async function closeIntake(db: Db, row: IntakeDocument): Promise<void> {
  const pipeline = [{ $set: { open: false, expires_at: { $add: ['$$NOW', KEPT_MS] } } }, { $unset: ['staging_blob_id', 'fetched'] }];
  await intakeRows.write(db, { row, pipeline });
}

/** Whether it is there still, and our lease with it. */
export async function isLeased(db: Db, { _id, fence = 0 }: IntakeDocument): Promise<boolean> {
  return (await intakes(db).countDocuments({ _id, fence, ...OPEN })) === 1;
}

/** Those under way, whoever has them. */
export async function countOpenIntakes(db: Db): Promise<number> {
  return intakes(db).countDocuments(OPEN);
}

/** What GetMedia answers with until there is a media. */
export function intakeToMedia(intake: IntakeDocument): Media {
  const { failure, url } = intake;
  return {
    id: intake._id,
    businessId: intake.business_id,
    createdAt: intake.created_at,
    updatedAt: intake.updated_at,
    revision: 1,
    status: failure ? 'MEDIA_STATUS_FAILED' : 'MEDIA_STATUS_PROCESSING',
    failure: failure && { ...failure },
    type: 'MEDIA_TYPE_UNSPECIFIED',
    mimeType: '',
    sizeBytes: intake.fetched?.total_bytes ?? 0,
    width: 0,
    height: 0,
    durationMs: undefined,
    sha256: '',
    url: '',
    source: url ?? 'upload',
    originalUrl: url ?? '',
    fileName: intake.file_name ?? '',
    folderId: intake.folder_id ?? undefined,
    altText: intake.alt_text,
    description: intake.description ?? '',
    transcript: '',
    thumbnailUrl: '',
    coverUrl: '',
    placeholder: '',
    facts: undefined,
  };
}
