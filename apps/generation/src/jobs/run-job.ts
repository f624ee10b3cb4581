import type { Lease } from '@fanfare/leased-work';
import type { Document } from 'mongodb';
import type { Context } from '../context.ts';
import { NO_USAGE, type Usage } from '../writing/composer.ts';
import { createPosts } from './steps/create-posts.ts';
import { findIdeas } from './steps/find-ideas.ts';
import { makeCreatives } from './steps/make-creatives.ts';
import { readInput } from './steps/read-input.ts';
import { writeCopy } from './steps/write-copy.ts';
import { jobRows, type JobDocument, type JobStep } from './store/jobs.ts';

/** What a step found out, to be recorded with the step that follows; or that it waits for somebody. */
export type StepResult =
  { readonly next: JobStep; readonly found?: Partial<JobDocument>; readonly used?: Usage } | { readonly waitMs: number };

/** One step of a job. It may be taken again from its beginning: what it makes has ids that derive from the job's. */
export type Step = (work: JobWork) => Promise<StepResult>;

/** A job in work. */
export interface JobWork {
  readonly context: Context;
  readonly lease: Lease<JobDocument>;
  /** As it was last written. */
  readonly job: () => JobDocument;
  /** Whether what passes is not waited for any longer. */
  readonly isLastAttempt: () => boolean;
  /**
   * Records what is known of the job, or of one of its drafts, before the step is through.
   * @param used what the language model was used for it
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
 * Takes the steps of a job from where it was left, one recorded after the other.
 * @returns in how many milliseconds it wants to go on, undefined when there is nothing left but its end
 * @throws LeaseLost, and what a step throws
 */
export async function runJob(context: Context, lease: Lease<JobDocument>): Promise<number | undefined> {
  // One after the other, so that the job here is never older than the one that is stored.
  let turn: Promise<unknown> = Promise.resolve();
  const record: JobWork['record'] = (found, used = NO_USAGE) => {
    const mine = turn.then(async () => {
      lease.row = await jobRows.write(context.db, { row: lease.row, pipeline: [recorded(found, used)] });
    });
    turn = mine.catch(() => undefined);
    return mine;
  };
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

/** Texts of callers are literals. What got further than before begins to count its attempts anew. */
function recorded(found: Readonly<Record<string, unknown>>, { requests, inputTokens, outputTokens }: Usage): Document {
  const literals = Object.entries(found).map(([path, value]) => [path, { $literal: value }] as const);
  const sums = {
    'usage.requests': { $add: ['$usage.requests', requests] },
    'usage.inputTokens': { $add: ['$usage.inputTokens', inputTokens] },
    'usage.outputTokens': { $add: ['$usage.outputTokens', outputTokens] },
  };
  return { $set: { ...Object.fromEntries(literals), ...sums, ...(literals.length > 0 && { attempts: 1 }), updated_at: '$$NOW' } };
}
