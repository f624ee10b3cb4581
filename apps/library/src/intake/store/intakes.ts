import type { Media } from '@fanfare/contracts/library';
import type { ErrorCode } from '@fanfare/errors';
import { leasedRows, raisedFence, type LeasedRow } from '@fanfare/leased-work';
import { aheadMs } from '@fanfare/runtime';
import type { ClientSession, Db, Filter } from 'mongodb';
import type { Scope } from '../../scope.ts';

/** Why an intake failed, as an error of the API. */
export interface IntakeFailure {
  code: ErrorCode;
  /** For the caller. */
  detail: string;
}

/** What the server declared about the staged bytes; used to request the rest if the file has not changed. */
interface FetchedDocument {
  /** Size of the file, if the server declared it. */
  total_bytes?: number;
  /** A strong ETag or a date, for If-Range. */
  validator?: string;
}

/** A file that is being fetched or processed in the background and then becomes a media. Its id is that of the future media. */
export interface IntakeDocument extends LeasedRow {
  organization_id: string;
  business_id: string;
  kind: 'url' | 'upload';
  /** Only of kind `url`. */
  url?: string;
  alt_text: string;
  description?: string;
  folder_id?: string | null;
  file_name?: string;
  /** The storage limits at the time of the request, as in the call metadata. */
  storage_limits?: string;
  flow_id?: string;
  /** Who requested it; absent in documents of older versions. */
  actor?: string;
  request_id?: string;
  /** The blob with its bytes: all bytes of an upload, or those that have arrived from a URL. */
  staging_blob_id?: string;
  fetched?: FetchedDocument;
  created_at: Date;
  updated_at: Date;
  /** Whether there is work left: to fetch and store the file or, after a failure, to delete the staged bytes. */
  open: boolean;
  /** When it is due, or when its lease ends. */
  run_at: Date;
  failure?: IntakeFailure;
  /** Canceled: no longer visible to clients. The staged bytes are still to be deleted. */
  given_up?: true;
  /** When a failed intake is deleted. Only if there is no work left. */
  expires_at?: Date;
}

/** The fields of a new intake. */
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
  | 'actor'
  | 'request_id'
  | 'staging_blob_id'
  | 'fetched'
>;

/** How long clients can read a failure. */
const KEPT_MS = 7 * 24 * 60 * 60_000;

const intakes = (db: Db) => db.collection<IntakeDocument>('intakes');
const OPEN: Filter<IntakeDocument> = { open: true };

export const intakeRows = leasedRows<IntakeDocument>({ of: intakes, due: 'run_at', open: OPEN, countsAttempts: true });

export async function createIntakeIndexes(db: Db): Promise<void> {
  await intakes(db).createIndex({ run_at: 1 }, { name: 'due', partialFilterExpression: { open: true } });
  await intakes(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

/** Inserts an intake that is due at once. An existing one, from a repeated request, is not changed. The caller must wake the loop. */
export async function insertIntake(db: Db, { _id, ...rest }: NewIntake, session?: ClientSession): Promise<void> {
  // `failures` is for replicas of the previous version, which may process it.
  const times = { created_at: { $add: ['$$NOW', aheadMs(rest.organization_id)] }, updated_at: '$$NOW', run_at: '$$NOW' };
  const fresh = { $mergeObjects: [{ $literal: { ...rest, open: true, fence: 0, attempts: 0, failures: 0 } }, times, '$$ROOT'] };
  await intakes(db).updateOne({ _id }, [{ $replaceWith: { $cond: [{ $eq: [{ $type: '$fence' }, 'missing'] }, fresh, '$$ROOT'] } }], {
    upsert: true,
    ...(session && { session }),
  });
}

/** Finds an intake that is in progress or has failed. */
export async function findIntake(db: Db, scope: Scope, id: string): Promise<IntakeDocument | null> {
  const { organizationId, businessId } = scope;
  return intakes(db).findOne({ _id: id, organization_id: organizationId, business_id: businessId, given_up: { $exists: false } });
}

/**
 * Cancels an intake, even if a process is working on it. The loop deletes the staged bytes; the caller must wake it.
 * @returns false if there is none
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

/** Stores the id of the staged blob. Must be called before its first byte is written. @throws LeaseLost */
export async function saveStaging(
  db: Db,
  row: IntakeDocument,
  { staging_blob_id, fetched }: Required<Pick<IntakeDocument, 'staging_blob_id' | 'fetched'>>,
): Promise<IntakeDocument> {
  const pipeline = [{ $set: { staging_blob_id, fetched: { $literal: fetched }, updated_at: '$$NOW' } }];
  return intakeRows.write(db, { row, pipeline });
}

/** Checks that this process has the lease. Must be called before the staged blob is deleted. @throws LeaseLost */
export async function checkStagingLease(db: Db, row: IntakeDocument): Promise<void> {
  await intakeRows.write(db, { row, pipeline: [{ $set: { updated_at: '$$NOW' } }] });
}

/** Marks an intake as failed. The staged bytes are then deleted under the same lease, with attempts of its own. @throws LeaseLost */
export async function failIntake(db: Db, row: IntakeDocument, failure: IntakeFailure, session?: ClientSession): Promise<IntakeDocument> {
  const pipeline = [{ $set: { failure: { $literal: failure }, attempts: 0, updated_at: '$$NOW' } }];
  return intakeRows.write(db, { row, pipeline }, session);
}

/** Closes a failed intake after its staged bytes were deleted. Clients can read it until it expires. @throws LeaseLost */
export async function closeIntake(db: Db, row: IntakeDocument): Promise<void> {
  const pipeline = [{ $set: { open: false, expires_at: { $add: ['$$NOW', KEPT_MS] } } }, { $unset: ['staging_blob_id', 'fetched'] }];
  await intakeRows.write(db, { row, pipeline });
}

/** Whether the intake exists and this process has its lease. */
export async function isLeased(db: Db, { _id, fence = 0 }: IntakeDocument): Promise<boolean> {
  return (await intakes(db).countDocuments({ _id, fence, ...OPEN })) === 1;
}

/** The number of intakes in progress, on all replicas. */
export async function countOpenIntakes(db: Db): Promise<number> {
  return intakes(db).countDocuments(OPEN);
}

/** What GetMedia returns until the media exists. */
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
