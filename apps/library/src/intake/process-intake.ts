import { DomainError } from '@fanfare/errors';
import { LeaseLost, type Lease } from '@fanfare/leased-work';
import type { Context } from '../context.ts';
import { emitMediaFailed } from '../events.ts';
import { findCreatedMedia } from '../media/store/media.ts';
import { intakeEnded } from '../metrics.ts';
import { ingest, scopeOfIntake } from './ingest.ts';
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

/** Between attempts to remove what is staged of an intake that failed: nobody waits for that. */
const CLEANUP_PAUSE_MS = 5 * 60_000;

/** Carries an intake on from what is written down until it is a media, or nothing is left of it. Whatever happens in here, another process can go on. */
export async function processIntake(context: Context, lease: Lease<IntakeDocument>): Promise<void> {
  if (lease.row.failure || lease.row.given_up) return clear(context, lease.row);
  try {
    if (!(await isThere(context, lease.row))) {
      const isOurs = await ingest(context, lease);
      intakeEnded('ready');
      if (isOurs) return;
    }
  } catch (error) {
    // A repeat of the request may have brought it in meanwhile.
    if (error instanceof LeaseLost || lease.stopping.aborted || !(await isThere(context, lease.row))) throw error;
  }
  // A repeat of the request was faster: its media stays, and nothing of ours.
  await clear(context, lease.row, true);
}

/** What it failed with will not pass. */
export async function giveUpIntake(context: Context, lease: Lease<IntakeDocument>, error: unknown): Promise<void> {
  const { row, log } = lease;
  if (row.failure || row.given_up) {
    log.error({ err: error }, 'could not delete the staged bytes of an intake; retrying later');
    return intakeRows.postpone(context.db, row, CLEANUP_PAUSE_MS, [{ $set: { attempts: 0 } }]);
  }
  const failure = failureOf(error);
  if (failure.code === 'internal_error') log.error({ err: error }, 'gave up an intake');
  else log.info({ failure, err: error }, 'rejected an intake');
  await end(context, row, failure);
}

const isThere = async ({ db }: Context, row: IntakeDocument): Promise<boolean> =>
  (await findCreatedMedia(db, scopeOfIntake(row), row._id)) !== null;

async function end(context: Context, row: IntakeDocument, failure: IntakeFailure): Promise<void> {
  const failed = await context.transact(async (session) => {
    const after = await failIntake(context.db, row, failure, session);
    await emitMediaFailed(context, session, after, intakeToMedia(after), after.flow_id);
    return after;
  });
  intakeEnded('failed');
  await clear(context, failed);
}

/** Removes what is staged, and then what is left of the row, or makes it what callers can read for a while. */
async function clear({ db, blobs }: Context, row: IntakeDocument, isDone = row.given_up === true): Promise<void> {
  // What a media refers to is not staged any more: that went together with the row.
  await checkStagingLease(db, row);
  if (row.staging_blob_id !== undefined) await blobs.remove(row.staging_blob_id);
  await (isDone ? intakeRows.end(db, row) : closeIntake(db, row));
}

function failureOf(error: unknown): IntakeFailure {
  const told = rejection(error, 'url');
  if (told instanceof DomainError) return { code: told.code, detail: told.detail };
  return { code: 'internal_error', detail: 'Something went wrong on our side.' };
}
