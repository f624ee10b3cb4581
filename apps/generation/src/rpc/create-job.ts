import { createJob as create } from '../jobs/create-job.ts';
import { toJob } from '../jobs/to-job.ts';
import type { Rpc } from './rpc.ts';

export const createJob: Rpc<'createJob'> =
  (context) =>
  async (request, { metadata }) => ({
    job: toJob(await create(context, request, metadata), context.config.prices),
  });
