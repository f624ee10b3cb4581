import { LeaseLost, startWorker, type Lease } from '@fanfare/leased-work';
import { currentMs, newId, watchAge } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { canaryRuns, canarySeconds } from '../metrics.ts';
import { deletePost, publishPost } from './publish-post.ts';
import { beginPost, canaryAgeMs, canaryRows, endPost, ensureCanary, markSuccess, type CanaryDocument } from './store/canaries.ts';

const LEASE_MS = 30_000;
const IDLE_MS = 1_000;
/** A post without a result is continued so soon: for example, when the first one was created before content knew of its account. */
const RETRY_MS = 2_000;
/** So many posts in a row may be missing before health reports it. */
const MISSING = 3;

/** Publishes a post of the canary's again and again, through the whole way, and reports when none has arrived for too long. */
export async function startCanary(context: Context, everyMs: number): Promise<{ problem(): string | undefined; stop(): Promise<void> }> {
  const { db, log } = context;
  await ensureCanary(db);
  const age = watchAge({
    name: 'canary-age',
    metric: { name: 'fanfare_canary_age_seconds', help: "Time since a post of the canary's was published." },
    log,
    lateAfterMs: MISSING * everyMs,
    async measure() {
      const ageMs = await canaryAgeMs(db);
      return ageMs === undefined ? undefined : { what: "no post of the canary's has been published", ageMs };
    },
  });
  const worker = startWorker<CanaryDocument>({
    ...{ name: 'canary', db, log, rows: canaryRows, size: 1, leaseMs: LEASE_MS, idleMs: Math.min(IDLE_MS, everyMs) },
    idsOf: ({ post }) => ({ post_id: post?.id }),
    async work(lease) {
      const outcome = await run(context, lease);
      canaryRuns.inc({ outcome });
      await canaryRows.postpone(db, lease.row, outcome === 'unknown' ? Math.min(RETRY_MS, everyMs) : everyMs);
    },
  });
  return {
    problem: age.problem,
    async stop() {
      await Promise.all([worker.stop(), age.stop()]);
    },
  };
}

/** One post at a time: one that has no result yet is waited for, however long, instead of adding to what is stuck. */
async function run(context: Context, lease: Lease<CanaryDocument>): Promise<'success' | 'failed' | 'unknown'> {
  const { db } = context;
  try {
    if (!lease.row.post) lease.row = await beginPost(db, lease.row, newId());
    const { post } = lease.row;
    if (!post) throw new Error('The post was not stored.');
    const isPublished = await publishPost(context, post.id, lease.signal);
    if (isPublished === undefined) return 'unknown';
    if (isPublished) {
      canarySeconds.observe((currentMs() - post.began_at.getTime()) / 1_000);
      lease.row = await markSuccess(db, lease.row);
    } else lease.log.warn({ post_id: post.id }, "a post of the canary's failed");
    await deletePost(context, post.id);
    lease.row = await endPost(db, lease.row);
    return isPublished ? 'success' : 'failed';
  } catch (error) {
    if (error instanceof LeaseLost || lease.signal.aborted) throw error;
    lease.log.warn({ err: error }, "a post of the canary's could not be published yet");
    return 'unknown';
  }
}
