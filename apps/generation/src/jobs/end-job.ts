import { DomainError } from '@fanfare/errors';
import type { Lease } from '@fanfare/leased-work';
import { derivedId } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { deleteUnusedDesigns } from '../designs/store/designs.ts';
import { emitJobEnded } from '../events.ts';
import { SourceRefused, SourceUnavailable } from '../input/source.ts';
import { discardUploads, keepUploads } from '../media/store/uploads.ts';
import { jobsEnded } from '../metrics.ts';
import { ProviderFailed } from '../providers/provider-failed.ts';
import { refund } from '../quota/store/usage.ts';
import { ComposerFailed } from '../writing/composer.ts';
import type { Draft } from './drafts/draft.ts';
import { jobRows, type JobDocument } from './store/jobs.ts';
import { draftsOf } from './drafts/drafts-of.ts';
import { isDiskFull } from './is-disk-full.ts';

/**
 * Ends a job in one transaction with its event: gives back what was not made, and what it stored for that. It has completed when at least one of its
 * posts is there.
 * @param failure what it was given up with
 * @throws LeaseLost
 */
export async function endJob(context: Context, lease: Lease<JobDocument>, failure?: unknown): Promise<void> {
  const { db } = context;
  const why = failure === undefined ? undefined : messageOf(failure);
  const drafts = draftsOf(lease.row).map((draft) =>
    draft.post || draft.failure !== undefined || why === undefined ? draft : { ...draft, failure: why },
  );
  const isCompleted = drafts.some(({ post }) => post);
  const error = isCompleted ? undefined : (why ?? noneMade(drafts));
  const change = {
    $set: {
      ...{
        status: isCompleted ? 'completed' : 'failed',
        ...(isCompleted && { step: 'done' }),
        open: false,
        ended_at: '$$NOW',
        updated_at: '$$NOW',
      },
      drafts: { $literal: Object.fromEntries(drafts.map((draft) => [`d${draft.index}`, draft])) },
      ...(error !== undefined && { error: { $literal: error } }),
    },
  };
  const ended = await context.transact(async (session) => {
    const job = await jobRows.write(db, { row: lease.row, pipeline: [change] }, session);
    await settle(context, job, session);
    return job;
  });
  jobsEnded.inc({ status: ended.status });
  lease.log.info({ status: ended.status, error, composer: ended.composer, ...ended.usage }, 'job ended');
}

/** What belongs to every end of a job, in its transaction. */
export async function settle({ db }: Pick<Context, 'db'>, job: JobDocument, session: ClientSession): Promise<void> {
  const { _id: jobId, organization_id: organizationId, business_id: businessId } = job;
  const scope = { organizationId, businessId };
  const [made, others] = [draftsOf(job).filter(({ post }) => post), draftsOf(job).filter(({ post }) => !post)];
  await refund(db, session, organizationId, job.charge, made.length);
  await keepUploads(db, made.flatMap(mediaOf), session);
  await discardUploads(db, scope, others.flatMap(mediaOf), session);
  await deleteUnusedDesigns(
    db,
    scope,
    others.map(({ index }) => derivedId(jobId, `design.${index}`)),
    session,
  );
  await emitJobEnded(db, session, job);
}

const mediaOf = ({ creative }: Draft): string[] =>
  creative ? [...creative.media, ...(creative.cover ? [creative.cover] : [])].map(({ id }) => id) : [];

/** What callers are told. */
function messageOf(failure: unknown): string {
  const isTold =
    failure instanceof SourceRefused ||
    failure instanceof SourceUnavailable ||
    failure instanceof ComposerFailed ||
    failure instanceof ProviderFailed;
  if (isTold || (failure instanceof DomainError && failure.code !== 'internal_error')) return failure.message;
  if (isDiskFull(failure)) return 'The server has no disk space left. Nothing was charged; try again later.';
  return 'Something went wrong on our side. Nothing was charged; try again later.';
}

const noneMade = (drafts: readonly Draft[]): string =>
  `No post could be made. ${drafts.find(({ failure }) => failure !== undefined)?.failure ?? 'Nothing to write about was found.'}`;
