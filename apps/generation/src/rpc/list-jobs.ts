import type { JobStatus as WireStatus } from '@fanfare/contracts/generation';
import type { JobStatus } from '../jobs/job.ts';
import { listJobs as list } from '../jobs/store/jobs.ts';
import { toJob } from '../jobs/to-job.ts';
import type { Rpc } from './rpc.ts';

const STATUSES: Partial<Record<WireStatus, JobStatus>> = {
  JOB_STATUS_PENDING: 'pending',
  JOB_STATUS_COMPLETED: 'completed',
  JOB_STATUS_FAILED: 'failed',
};

export const listJobs: Rpc<'listJobs'> =
  ({ config, db }) =>
  async ({ pageSize, pageToken, status }, { metadata }) => {
    const { rows, nextPageToken } = await list(db, metadata, { status: STATUSES[status], pageSize, pageToken });
    return { jobs: rows.map((job) => toJob(job, config.prices)), nextPageToken };
  };
