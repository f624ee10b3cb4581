import { DomainError } from '@fanfare/errors';
import { LeaseLost, type Lease } from '@fanfare/leased-work';
import type { Context } from '../context.ts';
import { emitMediaFailed } from '../events.ts';
import { findCreatedMedia } from '../media/store/media.ts';
import { intakeEnded } from '../metrics.ts';
import { ingest, causeOfIntake, scopeOfIntake } from './ingest.ts';
import { rejection } from './rejection.ts';
import {
  closeIntake,
  failIntake,
  checkStagingLease,
  intakeRows,
  intakeToMedia,
  type IntakeDocument,
  type IntakeFailure,
} from './store/intakes.ts';

/** The delay after failed attempts to delete the staged bytes of a failed intake. */
const CLEANUP_DELAY_MS = 5 * 60_000;

/** Continues an intake from its stored state until the media exists, or the intake was canceled. If this fails at any point, another process can continue. */
export async function processIntake(context: Context, lease: Lease<IntakeDocument>): Promise<void> {
  if (lease.row.failure || lease.row.given_up) return clear(context, lease.row);
  try {
    if (!(await hasMedia(context, lease.row))) {
      const isOurs = await ingest(context, lease);
      intakeEnded('ready');
      if (isOurs) return;
    }
  } catch (error) {
    // A repeated request may have stored the media in the meantime.
    if (error instanceof LeaseLost || lease.stopping.aborted || !(await hasMedia(context, lease.row))) throw error;
  }
  // A repeated request was faster: its media stays, and the staged bytes are deleted.
  await clear(context, lease.row, true);
}

/** Ends an intake after an error that retries cannot fix, or after too many attempts. */
export async function giveUpIntake(context: Context, lease: Lease<IntakeDocument>, error: unknown): Promise<void> {
  const { row, log } = lease;
  if (row.failure || row.given_up) {
    log.error({ err: error }, 'could not delete the staged bytes of an intake; retrying later');
    return intakeRows.postpone(context.db, row, CLEANUP_DELAY_MS, [{ $set: { attempts: 0 } }]);
  }
  const failure = failureOf(error);
  if (failure.code === 'internal_error') log.error({ err: error }, 'gave up an intake');
  else log.info({ failure, err: error }, 'rejected an intake');
  await end(context, row, failure);
}

const hasMedia = async ({ db }: Context, row: IntakeDocument): Promise<boolean> =>
  (await findCreatedMedia(db, scopeOfIntake(row), row._id)) !== null;

async function end(context: Context, row: IntakeDocument, failure: IntakeFailure): Promise<void> {
  const failed = await context.transact(async (session) => {
    const after = await failIntake(context.db, row, failure, session);
    await emitMediaFailed(context, session, after, intakeToMedia(after), causeOfIntake(after));
    return after;
  });
  intakeEnded('failed');
  await clear(context, failed);
}

/** Deletes the staged bytes. Then deletes the row or, after a failure, keeps it so that clients can read why. */
async function clear({ db, blobs }: Context, row: IntakeDocument, isDone = row.given_up === true): Promise<void> {
  // The lease proves that the blob is still staged: a media takes over its blob in the transaction that deletes the row.
  await checkStagingLease(db, row);
  if (row.staging_blob_id !== undefined) await blobs.remove(row.staging_blob_id);
  await (isDone ? intakeRows.end(db, row) : closeIntake(db, row));
}

function failureOf(error: unknown): IntakeFailure {
  const rejected = rejection(error, 'url');
  if (rejected instanceof DomainError) return { code: rejected.code, detail: rejected.detail };
  return { code: 'internal_error', detail: 'Something went wrong on our side.' };
}
