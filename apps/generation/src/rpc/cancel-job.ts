import { cancelJob as cancel } from '../jobs/cancel-job.ts';
import { toJob } from '../jobs/to-job.ts';
import type { Rpc } from './rpc.ts';

export const cancelJob: Rpc<'cancelJob'> =
  (context) =>
  async ({ jobId }, { metadata }) => ({
    job: toJob(await cancel(context, jobId, metadata), context.config.prices),
  });
