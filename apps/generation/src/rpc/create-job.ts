import { isDuplicateKey } from '@fanfare/mongo';
import { now } from '@fanfare/runtime';
import { readBusiness } from '../business.ts';
import { checkJob } from '../jobs/check-job.ts';
import type { JobDocument } from '../jobs/job.ts';
import { findJob, insertJob } from '../jobs/store/jobs.ts';
import { toJob } from '../jobs/to-job.ts';
import { chargePosts } from '../quota/store/usage.ts';
import type { Rpc } from './rpc.ts';

export const createJob: Rpc<'createJob'> =
  (context) =>
  async (request, { metadata }) => {
    const { config, db } = context;
    const { jobId, limits } = request;
    const show = (job: JobDocument) => ({ job: toJob(job, config.prices) });
    const before = await findJob(db, metadata, jobId);
    if (before) return show(before);

    const business = await readBusiness(context, metadata);
    const checked = await checkJob(context, request, business, metadata);
    const at = now(metadata.organizationId);
    try {
      return await context.transact(async (session) => {
        const charge = await chargePosts(db, session, {
          organizationId: metadata.organizationId,
          count: checked.count,
          limits: { posts: limits?.postsPerMonth, credits: limits?.creditsPerMonth },
          at,
        });
        const job: JobDocument = {
          ...{ _id: jobId, organization_id: metadata.organizationId, business_id: metadata.businessId },
          ...{ created_at: at, updated_at: at, call: metadata, request: checked, charge },
          ...{ status: 'pending', step: 'input', open: true, run_at: new Date(0), attempts: 0 },
          composer: context.composer.name,
          usage: { requests: 0, inputTokens: 0, outputTokens: 0 },
          drafts: {},
        };
        await insertJob(db, job, session);
        return show(job);
      });
    } catch (error) {
      const winner = isDuplicateKey(error) ? await findJob(db, metadata, jobId) : null;
      if (!winner) throw error;
      return show(winner);
    }
  };
