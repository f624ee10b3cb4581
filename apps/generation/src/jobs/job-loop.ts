import { startWorker, type Worker } from '@fanfare/leased-work';
import { CreativeFailed } from '../creatives/creative.ts';
import { DomainError } from '@fanfare/errors';
import type { Context } from '../context.ts';
import { SourceRejected } from '../input/source.ts';
import { ProviderFailed } from '../providers/provider-failed.ts';
import { ComposerFailed } from '../writing/composer.ts';
import { endJob } from './end-job.ts';
import { runJob } from './run-job.ts';
import type { JobDocument } from './job.ts';
import { jobRows } from './store/jobs.ts';

const IDLE_MS = 2_000;

/** Leases due jobs and runs their steps. Organizations without a running job come first. */
export function startJobLoop(context: Context): Worker {
  const { config, db, log } = context;
  const { atOnce, leaseMs, retryMs, maxDelayMs, attempts } = config.jobs;
  // Such a process only serves calls.
  if (atOnce === 0) return { wake: () => undefined, problem: () => undefined, stop: async () => undefined };
  return startWorker<JobDocument>({
    name: 'jobs',
    db,
    log,
    rows: jobRows,
    size: atOnce,
    leaseMs,
    idleMs: IDLE_MS,
    fair: { by: 'organization_id', most: Math.max(1, atOnce - 1) },
    idsOf: ({ _id, organization_id, business_id }) => ({ job_id: _id, organization_id, business_id }),
    async work(lease) {
      const waitMs = await runJob(context, lease);
      // Waiting for a provider does not count as a failed attempt.
      if (waitMs !== undefined) await jobRows.postpone(db, lease.row, waitMs, [{ $set: { attempts: 0 } }]);
      else await endJob(context, lease);
    },
    retry: {
      attempts,
      firstDelayMs: retryMs,
      maxDelayMs,
      passes: (error) => !isFinal(error),
      leastDelayMs: (error) => (error instanceof ComposerFailed || error instanceof ProviderFailed ? error.retryAfterMs : undefined),
      giveUp: (lease, error) => endJob(context, lease, error),
    },
  });
}

/** Failures that a retry does not resolve. */
function isFinal(error: unknown): boolean {
  if (error instanceof ComposerFailed || error instanceof ProviderFailed) return !error.isPassing;
  if (error instanceof DomainError) return error.code !== 'internal_error' && error.code !== 'conflict';
  return error instanceof SourceRejected || error instanceof CreativeFailed;
}
