import { DomainError, notFound } from '@fanfare/errors';
import { applyJobEnd } from '../jobs/end-job.ts';
import { findJob, revokeJob } from '../jobs/store/jobs.ts';
import { toJob } from '../jobs/to-job.ts';
import { jobsEnded } from '../metrics.ts';
import type { Rpc } from './rpc.ts';

export const cancelJob: Rpc<'cancelJob'> =
  (context) =>
  async ({ jobId }, { metadata }) => {
    const { config, db } = context;
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
    return { job: toJob(job, config.prices) };
  };
