import { leasedRows, raisedFence } from '@fanfare/leased-work';
import { after, pageWithin, parsePageToken, type Page } from '@fanfare/mongo';
import { aheadMs } from '@fanfare/runtime';
import type { ClientSession, Db, Document } from 'mongodb';
import { filterOf, type Scope } from '../../scope.ts';
import type { JobDocument, JobStatus, JobStep } from '../job.ts';

const jobs = (db: Db) => db.collection<JobDocument>('jobs');

export const jobRows = leasedRows<JobDocument>({ of: jobs, due: 'run_at', open: { open: true }, countsAttempts: true });

export async function createJobIndexes(db: Db): Promise<void> {
  await jobs(db).createIndex({ open: 1, run_at: 1 }, { partialFilterExpression: { open: true } });
  await jobs(db).createIndex({ business_id: 1, created_at: -1, _id: -1 });
}

/** The time of an organization, for a pipeline. */
export const nowOf = (organizationId: string): Document => ({ $add: ['$$NOW', aheadMs(organizationId)] });

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
        ...{ status: 'failed', open: false, error, ended_at: nowOf(scope.organizationId), updated_at: nowOf(scope.organizationId) },
        fence: raisedFence,
      },
    },
  ];
  return jobs(db).findOneAndUpdate(where, change, { returnDocument: 'after', session });
}

/** Due jobs that are not running. */
export const countWaitingJobs = (db: Db): Promise<number> =>
  jobs(db).countDocuments({ open: true, run_at: { $gte: new Date(0) }, $expr: { $lte: ['$run_at', '$$NOW'] } });

/** Jobs that have not ended: waiting or running. */
export const countOpenJobs = (db: Db): Promise<number> => jobs(db).countDocuments({ open: true, run_at: { $gte: new Date(0) } });

/** For how long the oldest of these jobs has been due. */
export async function oldestJobLagMs(db: Db): Promise<number> {
  return Math.max(0, -((await jobRows.nextInMs(db)) ?? 0));
}
