import { notFound } from '@fanfare/errors';
import { findShownJob } from '../jobs/store/jobs.ts';
import { toJob } from '../jobs/to-job.ts';
import type { Rpc } from './rpc.ts';

export const getJob: Rpc<'getJob'> =
  ({ config, db }) =>
  async ({ jobId }, { metadata }) => {
    const job = await findShownJob(db, metadata, jobId);
    if (!job) throw notFound('job');
    return { job: toJob(job, config.prices) };
  };
