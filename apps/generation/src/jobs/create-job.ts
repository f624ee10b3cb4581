import type { CreateJobRequest } from '@fanfare/contracts/generation';
import { isDuplicateKey } from '@fanfare/mongo';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import { readBusiness } from '../business.ts';
import type { Context } from '../context.ts';
import { chargePosts } from '../quota/store/usage.ts';
import { checkJob } from './check-job.ts';
import type { JobDocument } from './job.ts';
import { findJob, insertJob } from './store/jobs.ts';

/** Creates a job, and charges its posts in the same transaction. A repeated create returns the stored job. */
export async function createJob(context: Context, request: CreateJobRequest, metadata: CallMetadata): Promise<JobDocument> {
  const { db } = context;
  const { jobId, limits } = request;
  const before = await findJob(db, metadata, jobId);
  if (before) return before;

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
      return job;
    });
  } catch (error) {
    const winner = isDuplicateKey(error) ? await findJob(db, metadata, jobId) : null;
    if (!winner) throw error;
    return winner;
  }
}
