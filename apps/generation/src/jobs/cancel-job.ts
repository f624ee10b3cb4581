import { DomainError, notFound } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { jobsEnded } from '../metrics.ts';
import { applyJobEnd } from './end-job.ts';
import type { JobDocument } from './job.ts';
import { findJob, revokeJob } from './store/jobs.ts';

/**
 * Ends a job that is not creating its posts yet. A job that has already ended without posts is returned as it is.
 * @throws DomainError resource_not_found, conflict
 */
export async function cancelJob(context: Context, jobId: string, metadata: CallMetadata): Promise<JobDocument> {
  const { db } = context;
  const revoked = await context.transact(async (session) => {
    const job = await revokeJob(db, metadata, jobId, 'The job was cancelled.', session);
    if (job) await applyJobEnd(context, job, session);
    return job;
  });
  if (revoked) jobsEnded.inc({ status: 'cancelled' });
  const job = revoked ?? (await findJob(db, metadata, jobId));
  if (!job) throw notFound('job');
  if (job.status === 'completed') throw new DomainError('conflict', 'The job has completed. Delete its posts instead.');
  if (job.status === 'pending') throw new DomainError('conflict', 'The job is creating its posts and can no longer be cancelled.');
  return job;
}
