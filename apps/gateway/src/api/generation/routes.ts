import type { JobStatus } from '@fanfare/contracts/generation';
import { jobFromProto, present } from '@fanfare/resources';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { limitsOf } from '../common/generation-limits.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { suggestBody, suggestions } from './captions.ts';
import { generateBody, toCreateJobRequest } from './generate-body.ts';
import { exampleJob, examplePendingJob } from './job-example.ts';
import { job as jobResource } from './job.ts';

const ofBusiness = { business_id: z.uuid() };
const generation = { tag: 'Generation', scope: 'business' } as const;
const jobs = { ...generation, resource: 'job' } as const;
const oneJob = {
  ...jobs,
  path: '/api/businesses/{business_id}/jobs/{job_id}',
  params: { ...ofBusiness, job_id: z.uuid() },
  query: {},
} as const;

/** Includes calls to a language model. */
const CAPTIONS_TIMEOUT_MS = 30_000;

const STATUSES = {
  pending: 'JOB_STATUS_PENDING',
  completed: 'JOB_STATUS_COMPLETED',
  failed: 'JOB_STATUS_FAILED',
} as const satisfies Record<string, JobStatus>;

const generatePosts = route({
  ...jobs,
  method: 'post',
  path: '/api/businesses/{business_id}/posts/generate',
  operationId: 'generate_posts',
  sdkMethod: 'posts.generate',
  access: access.write,
  idempotent: true,
  deprecated: { since: new Date('2026-08-06T00:00:00Z'), instead: '/docs' },
  summary: 'Generate posts',
  description:
    'Starts a job that generates posts from a text, a website or an idea. They have the status NEW, which waits for review. Poll the job every 2 to 5 seconds. Each generated post costs one credit and counts against the monthly quota of generated posts. Both are charged now, and refunded for posts that are not generated.\n\nDeprecated: create posts directly with `create_post`, with `design_id` for images made from a template.',
  params: ofBusiness,
  query: {},
  body: generateBody,
  returns: jobResource,
  status: 202,
  errors: ['missing_field', 'invalid_value'],
  examples: {
    body: { content: 'Our sourdough rests for a whole day.', count: 1, creative_formats: ['design'] },
    response: examplePendingJob,
  },
  async handler({ generation: service }, { body, ids, organization, call }) {
    const request = toCreateJobRequest(body, ids.resourceId, limitsOf(organization));
    const made = present((await service.createJob(request, { call })).job);
    return { body: jobFromProto(made), location: `/api/businesses/${made.businessId}/jobs/${made.id}` };
  },
});

const getJobStatus = route({
  ...oneJob,
  method: 'get',
  operationId: 'get_job_status',
  sdkMethod: 'jobs.get',
  access: access.read,
  self: 'resource',
  summary: 'Get a generation job',
  description: 'Poll it every 2 to 5 seconds until its status is `completed` or `failed`.',
  returns: jobResource,
  status: 200,
  examples: { response: exampleJob },
  async handler({ generation: service }, { params, call }) {
    const found = present((await service.getJob({ jobId: params.job_id }, { call })).job);
    return { body: jobFromProto(found), revision: found.updatedAt?.getTime() ?? 0 };
  },
});

const listJobs = route({
  ...jobs,
  method: 'get',
  path: '/api/businesses/{business_id}/jobs',
  operationId: 'list_jobs',
  sdkMethod: 'jobs.list',
  access: access.read,
  self: 'page',
  summary: 'List generation jobs',
  description: 'Newest first.',
  params: ofBusiness,
  query: {
    limit: limitParam(20),
    cursor: cursorParam(),
    status: z.enum(['pending', 'completed', 'failed']).optional().meta({ description: 'Only jobs with this status.' }),
  },
  returns: pageOf(jobResource, 'JobPage'),
  status: 200,
  examples: { response: { items: [exampleJob], next: null } },
  async handler({ generation: service }, { query, call }) {
    const status = query.status === undefined ? 'JOB_STATUS_UNSPECIFIED' : STATUSES[query.status];
    const found = await service.listJobs({ pageSize: query.limit, pageToken: query.cursor, status }, { call });
    return { body: { items: found.jobs.map(jobFromProto), next: nextOf(found.nextPageToken) } };
  },
});

const cancelJob = route({
  ...oneJob,
  method: 'post',
  path: `${oneJob.path}/cancel`,
  operationId: 'cancel_job',
  duringDeletion: true,
  sdkMethod: 'jobs.cancel',
  access: access.write,
  self: 'resource',
  summary: 'Cancel a generation job',
  description:
    'The job fails, and its credits are refunded. Rejected with 409 `conflict` if the job is completed or already creating its posts.',
  returns: jobResource,
  status: 200,
  errors: ['conflict'],
  examples: {
    response: { ...examplePendingJob, status: 'failed', error: 'The job was cancelled.', credits: 0, ended_at: '2026-08-06T09:30:01.000Z' },
  },
  async handler({ generation: service }, { params, call }) {
    const found = present((await service.cancelJob({ jobId: params.job_id }, { call })).job);
    return { body: jobFromProto(found), revision: found.updatedAt?.getTime() ?? 0 };
  },
});

const suggestCaptions = route({
  ...generation,
  method: 'post',
  path: '/api/businesses/{business_id}/captions/suggest',
  operationId: 'suggest_captions',
  sdkMethod: 'captions.suggest',
  access: access.write,
  idempotent: true,
  summary: 'Suggest captions',
  description: 'Writes captions from a caption or from the alternative text of a media file. Counts as one generated post.',
  params: ofBusiness,
  query: {},
  body: suggestBody,
  returns: suggestions,
  status: 200,
  errors: ['missing_field', 'invalid_value', 'UPSTREAM_PROVIDER_ERROR'],
  examples: {
    body: { caption: 'Fresh sourdough from seven every morning.', platform: 'x', tone: 'playful', count: 1 },
    response: {
      captions: [
        { caption: 'Fresh sourdough from seven every morning.\n\nWho is in?\n\n#sourdough', characters: 66, hashtags: ['sourdough'] },
      ],
      composer: 'embedded',
    },
  },
  async handler({ generation: service }, { body, ids, organization, call }) {
    const { captions, composer } = await service.suggestCaptions(
      {
        caption: body.caption ?? '',
        mediaId: body.media_id ?? undefined,
        count: body.count,
        platform: body.platform ?? '',
        tone: body.tone ?? '',
        limits: limitsOf(organization),
        operationId: ids.operationId,
      },
      { call, timeoutMs: CAPTIONS_TIMEOUT_MS },
    );
    return { body: { captions, composer } };
  },
});

export const generationRoutes: readonly Route[] = [generatePosts, getJobStatus, listJobs, cancelJob, suggestCaptions];
