import { leasedRows, raisedFence, type LeasedRow } from '@fanfare/leased-work';
import { after, pageWithin, parsePageToken, type Page } from '@fanfare/mongo';
import type { CallMetadata } from '@fanfare/rpc';
import type { ClientSession, Db } from 'mongodb';
import type { CreativeFormat } from '../../formats.ts';
import { filterOf, type Scope } from '../../scope.ts';
import type { Charge } from '../../quota/store/usage.ts';
import type { AspectRatio } from '../../templates/template.ts';
import type { Source } from '../../input/source.ts';
import type { Brief, Idea, Topic, Usage } from '../../writing/composer.ts';
import type { Draft } from '../drafts/draft.ts';

export type JobStatus = 'pending' | 'completed' | 'failed';

/** In order. A step starts after all steps before it are recorded. */
export const JOB_STEPS = ['input', 'ideas', 'copy', 'creatives', 'posts', 'done'] as const;
export type JobStep = (typeof JOB_STEPS)[number];

/** The request, with the defaults of the business. */
export interface JobRequest {
  content: string | null;
  website_url: string | null;
  custom_idea: string | null;
  count: number;
  creative_formats: CreativeFormat[];
  ai_image_type: string | null;
  ai_image_style: string | null;
  template_ids: string[];
  voice: string | null;
  include_stock: boolean;
  aspect_ratio: AspectRatio;
}

/** The colors, fonts and logo of the business when the job started. */
export interface BusinessLook {
  palette: string[];
  fonts: string[];
  logo_media_id: string | null;
}

/**
 * A request to generate posts. The result of each step is recorded before the next one starts, so that another process can continue the job. The ids of
 * everything that a job makes derive from its own, so that nothing is made twice.
 */
export interface JobDocument extends LeasedRow {
  organization_id: string;
  business_id: string;
  created_at: Date;
  updated_at: Date;
  /** The actor of its calls to other services. */
  call: CallMetadata;
  request: JobRequest;
  status: JobStatus;
  step: JobStep;
  /** Whether the job has not ended. */
  open: boolean;
  /** When it is due; while it is leased, when the lease ends. */
  run_at: Date;
  /** The reserved charge; absent after it ends. */
  charge: Charge;
  composer: string;
  usage: Usage;
  brief?: Brief;
  look?: BusinessLook;
  topics?: Topic[];
  source?: Source;
  ideas?: Idea[];
  /** By `d0`, `d1`, …, instead of an array, so that each can be written separately. */
  drafts: Record<string, Draft>;
  error?: string;
  ended_at?: Date;
}

const jobs = (db: Db) => db.collection<JobDocument>('jobs');

export const jobRows = leasedRows<JobDocument>({ of: jobs, due: 'run_at', open: { open: true }, countsAttempts: true });

export async function createJobIndexes(db: Db): Promise<void> {
  await jobs(db).createIndex({ open: 1, run_at: 1 }, { partialFilterExpression: { open: true } });
  await jobs(db).createIndex({ business_id: 1, created_at: -1, _id: -1 });
}

/** Fails with a duplicate key if a job with this id exists. */
export async function insertJob(db: Db, job: JobDocument, session: ClientSession): Promise<void> {
  await jobs(db).insertOne(job, { session });
}

export async function findJob(db: Db, scope: Scope, id: string, session?: ClientSession): Promise<JobDocument | null> {
  return jobs(db).findOne({ _id: id, ...filterOf(scope) }, session ? { session } : {});
}

/** Sources are large and not returned, so that reads leave them out. */
const SHOWN = { source: 0, brief: 0, look: 0, topics: 0, call: 0 } as const;

export async function findShownJob(db: Db, scope: Scope, id: string): Promise<JobDocument | null> {
  return jobs(db).findOne({ _id: id, ...filterOf(scope) }, { projection: SHOWN });
}

export async function listJobs(
  db: Db,
  scope: Scope,
  { status, pageSize, pageToken }: { status: JobStatus | undefined; pageSize: number; pageToken: string },
): Promise<Page<JobDocument>> {
  const binding = ['jobs', scope.businessId, status ?? ''];
  const find = jobs(db)
    .find({ ...filterOf(scope), ...(status && { status }), ...after(parsePageToken(pageToken, binding)) }, { projection: SHOWN })
    .sort({ created_at: -1, _id: -1 });
  return pageWithin(find, pageSize, binding, ({ drafts }) => 2_000 + Object.keys(drafts).length * 40_000);
}

/**
 * Ends a pending job, even if a process has leased it. Later writes of that process fail.
 * @returns the job after the change; null if it can no longer be cancelled
 */
export async function revokeJob(db: Db, scope: Scope, id: string, error: string, session: ClientSession): Promise<JobDocument | null> {
  const where = { _id: id, ...filterOf(scope), open: true, step: { $nin: ['posts', 'done'] as JobStep[] } };
  const change = [
    {
      $set: {
        ...{ status: 'failed', open: false, error, ended_at: '$$NOW', updated_at: '$$NOW' },
        fence: raisedFence,
      },
    },
  ];
  return jobs(db).findOneAndUpdate(where, change, { returnDocument: 'after', session });
}

/** Due jobs that are not running. */
export const countWaitingJobs = (db: Db): Promise<number> =>
  jobs(db).countDocuments({ open: true, run_at: { $gte: new Date(0) }, $expr: { $lte: ['$run_at', '$$NOW'] } });

/** For how long the oldest of these jobs has been due. */
export async function oldestJobLagMs(db: Db): Promise<number> {
  return Math.max(0, -((await jobRows.nextInMs(db)) ?? 0));
}
