import { DomainError } from '@fanfare/errors';
import { backoffMs } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { emitMediaFailed } from '../events.ts';
import { intakeEnded, intakeRetried } from '../metrics.ts';
import {
  closeIntake,
  failIntake,
  holdStaging,
  IntakeLost,
  intakeToMedia,
  releaseIntake,
  removeIntake,
  type IntakeDocument,
  type IntakeFailure,
} from './store/intakes.ts';
import { findCreatedMedia } from '../media/store/media.ts';
import { bringIn, scopeOfIntake } from './bring-in.ts';
import { holdIntake, type HeldIntake } from './hold-intake.ts';
import { isPassing } from './is-passing.ts';
import { refusal } from './refusal.ts';

/** From two seconds to five minutes, about an hour in all: a server that is away for longer than that is the caller's to look at. */
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 5 * 60_000;
const MAX_FAILURES = 18;

/** Carries an intake on from what is written down until it is a media, has failed, or has to wait. Whatever happens in here, another process can go on. */
export async function workOffIntake(
  context: Context,
  leased: IntakeDocument,
  options: { leaseMs: number; stop: AbortSignal },
): Promise<void> {
  const log = context.log.child({ media_id: leased._id, organization_id: leased.organization_id, kind: leased.kind });
  const held = holdIntake(context, leased, options);
  try {
    await advance().catch((error: unknown) => (options.stop.aborted ? releaseIntake(context.db, held.row, 0) : handle(error)));
  } catch (error) {
    if (!(error instanceof IntakeLost)) throw error;
    log.warn('the intake was given up, or another process goes on with it');
  } finally {
    held.release();
  }

  async function advance(): Promise<void> {
    if (leased.failure || leased.given_up) return clear(context, held.row);
    if (!(await isThere())) {
      const isOurs = await bringIn(context, held);
      intakeEnded('ready');
      if (isOurs) return;
    }
    // A repeat of the request was faster: its media stays, and nothing of ours.
    await clear(context, held.row, true);
  }

  async function isThere(): Promise<boolean> {
    return (await findCreatedMedia(context.db, scopeOfIntake(leased), leased._id)) !== null;
  }

  async function handle(error: unknown): Promise<void> {
    if (error instanceof IntakeLost) throw error;
    // A repeat of the request may have brought it in meanwhile.
    if (await isThere()) return clear(context, held.row, true);

    const failures = held.row.failures + 1;
    if (isPassing(error) && failures < MAX_FAILURES) {
      const retryInMs = backoffMs(failures - 1, FIRST_PAUSE_MS, MAX_PAUSE_MS) * context.config.intakes.timeScale;
      intakeRetried();
      log.warn({ err: error, failures, retry_in_ms: retryInMs }, 'intake failed for now');
      return releaseIntake(context.db, held.row, retryInMs, failures);
    }
    const failure = failureOf(error);
    if (failure.code === 'internal_error') log.error({ err: error }, 'intake given up');
    else log.info({ failure, err: error }, 'intake refused');
    await end(context, held, failure);
  }
}

async function end(context: Context, held: HeldIntake, failure: IntakeFailure): Promise<void> {
  const failed = await context.transact(async (session) => {
    const row = await failIntake(context.db, held.row, failure, session);
    await emitMediaFailed(context, session, row, intakeToMedia(row), row.flow_id);
    return row;
  });
  intakeEnded('failed');
  await clear(context, failed);
}

/** Removes what is staged, and then what is left of the row, or makes it what callers can read for a while. */
async function clear({ db, blobs }: Context, row: IntakeDocument, isDone = row.given_up === true): Promise<void> {
  // What a media refers to is not staged any more: that went together with the row.
  await holdStaging(db, row);
  if (row.staging_blob_id !== undefined) await blobs.remove(row.staging_blob_id);
  await (isDone ? removeIntake(db, row) : closeIntake(db, row));
}

function failureOf(error: unknown): IntakeFailure {
  const told = refusal(error, 'url');
  if (told instanceof DomainError) return { code: told.code, detail: told.detail };
  return { code: 'internal_error', detail: 'Something failed on our side.' };
}
