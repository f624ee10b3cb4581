import type { Lease } from '@fanfare/leased-work';
import { literals } from '@fanfare/mongo';
import { grouped } from '@fanfare/runtime';
import type { Document } from 'mongodb';
import type { Context } from '../context.ts';
import { NO_USAGE, type Usage } from '../writing/composer.ts';
import { createPosts } from './steps/create-posts.ts';
import { findIdeas } from './steps/find-ideas.ts';
import { makeCreatives } from './steps/make-creatives.ts';
import { readInput } from './steps/read-input.ts';
import { writeCopy } from './steps/write-copy.ts';
import type { JobDocument, JobStep } from './job.ts';
import { jobRows, nowOf } from './store/jobs.ts';

/** The result of a step, which is recorded together with the next step; or that the step waits for a provider. */
export type StepResult =
  { readonly next: JobStep; readonly found?: Partial<JobDocument>; readonly used?: Usage } | { readonly waitMs: number };

/** One step of a job. It may run again from the start: the ids of everything that it makes derive from the job's. */
export type Step = (work: JobWork) => Promise<StepResult>;

/** A running job. */
export interface JobWork {
  readonly context: Context;
  readonly lease: Lease<JobDocument>;
  /** The job as last written. */
  readonly job: () => JobDocument;
  /** Whether temporary failures are no longer retried. */
  readonly isLastAttempt: () => boolean;
  /**
   * Records a part of the result before the step is complete.
   * @param used the usage of the language model
   * @throws LeaseLost
   */
  record(found: Readonly<Record<string, unknown>>, used?: Usage): Promise<void>;
}

const STEPS = {
  input: readInput,
  ideas: findIdeas,
  copy: writeCopy,
  creatives: makeCreatives,
  posts: createPosts,
} as const satisfies Record<Exclude<JobStep, 'done'>, Step>;

/**
 * Runs the steps of a job from the last recorded one, and records each.
 * @returns in how many milliseconds to continue; undefined if the job can be ended
 * @throws LeaseLost, and the errors of the steps
 */
export async function runJob(context: Context, lease: Lease<JobDocument>): Promise<number | undefined> {
  // One write after the other, so that the job in memory is never older than the stored one. Parts that are found meanwhile share the next write.
  const write = grouped<{ found: Readonly<Record<string, unknown>>; used: Usage }, void>({
    most: 100,
    work: async (parts) => {
      const pipeline = parts.map(({ found, used }) => recorded(lease.row.organization_id, found, used));
      lease.row = await jobRows.write(context.db, { row: lease.row, pipeline });
      return parts.map(() => ({ status: 'fulfilled', value: undefined }));
    },
  });
  const record: JobWork['record'] = (found, used = NO_USAGE) => write({ found, used });
  const isLastAttempt = () => (lease.row.attempts ?? 0) >= context.config.jobs.attempts;
  const work: JobWork = { context, lease, job: () => lease.row, record, isLastAttempt };
  for (;;) {
    const { step } = lease.row;
    if (step === 'done') return undefined;
    const result = await STEPS[step](work);
    if ('waitMs' in result) return result.waitMs;
    if (result.next === 'done') return undefined;
    await record({ ...result.found, step: result.next }, result.used);
  }
}

/** Texts of callers are literals, not expressions. Progress resets the count of attempts. */
function recorded(
  organizationId: string,
  found: Readonly<Record<string, unknown>>,
  { requests, inputTokens, outputTokens }: Usage,
): Document {
  const isProgress = Object.keys(found).length > 0;
  const sums = {
    'usage.requests': { $add: ['$usage.requests', requests] },
    'usage.inputTokens': { $add: ['$usage.inputTokens', inputTokens] },
    'usage.outputTokens': { $add: ['$usage.outputTokens', outputTokens] },
  };
  return { $set: { ...literals(found), ...sums, ...(isProgress && { attempts: 1 }), updated_at: nowOf(organizationId) } };
}
