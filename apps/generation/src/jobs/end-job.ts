import { DomainError } from '@fanfare/errors';
import type { Lease } from '@fanfare/leased-work';
import { derivedId } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { deleteUnusedDesigns } from '../designs/store/designs.ts';
import { emitJobEnded } from './emit-job-ended.ts';
import { SourceRejected, SourceUnavailable } from '../input/source.ts';
import { discardUploads, keepUploads } from '../media/store/uploads.ts';
import { jobsEnded } from '../metrics.ts';
import { ProviderFailed } from '../providers/provider-failed.ts';
import { refund } from '../quota/store/usage.ts';
import { ComposerFailed } from '../writing/composer.ts';
import type { Draft } from './drafts/draft.ts';
import type { JobDocument } from './job.ts';
import { jobRows, nowOf } from './store/jobs.ts';
import { draftsOf } from './drafts/drafts-of.ts';
import { isDiskFull } from './is-disk-full.ts';

/**
 * Ends a job and emits its event in one transaction. Refunds posts that were not generated, and deletes their media. The job is completed if it created
 * at least one post.
 * @param failure why the job was given up
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
        ended_at: nowOf(lease.row.organization_id),
        updated_at: nowOf(lease.row.organization_id),
      },
      drafts: { $literal: Object.fromEntries(drafts.map((draft) => [`d${draft.index}`, draft])) },
      ...(error !== undefined && { error: { $literal: error } }),
    },
  };
  const ended = await context.transact(async (session) => {
    const job = await jobRows.write(db, { row: lease.row, pipeline: [change] }, session);
    await applyJobEnd(context, job, session);
    return job;
  });
  jobsEnded.inc({ status: ended.status });
  lease.log.info({ status: ended.status, error, composer: ended.composer, ...ended.usage }, 'job ended');
}

/** The part of the transaction that is common to all ends of a job. */
export async function applyJobEnd({ config, db }: Pick<Context, 'config' | 'db'>, job: JobDocument, session: ClientSession): Promise<void> {
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
  await emitJobEnded(db, session, job, config.prices);
}

const mediaOf = ({ creative }: Draft): string[] =>
  creative ? [...creative.media, ...(creative.cover ? [creative.cover] : [])].map(({ id }) => id) : [];

/** The message for the caller. */
function messageOf(failure: unknown): string {
  const isForCaller =
    failure instanceof SourceRejected ||
    failure instanceof SourceUnavailable ||
    failure instanceof ComposerFailed ||
    failure instanceof ProviderFailed;
  if (isForCaller || (failure instanceof DomainError && failure.code !== 'internal_error')) return failure.message;
  if (isDiskFull(failure)) return 'The server has no disk space left. You were not charged. Try again later.';
  return 'Something went wrong on our side. You were not charged. Try again later.';
}

const noneMade = (drafts: readonly Draft[]): string =>
  `No post could be generated. ${drafts.find(({ failure }) => failure !== undefined)?.failure ?? 'The source has nothing to write about.'}`;
