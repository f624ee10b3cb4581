import { LeaseLost, withLease } from '@fanfare/leased-work';
import { startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { sweepDerivatives } from '../derivatives/sweep-derivatives.ts';
import { sweepUploads } from '../blobs/sweep-uploads.ts';
import { collected } from '../metrics.ts';
import { removeDeletionMarks, type Marked } from './store/deletion-marks.ts';
import { cleanupRows, leaseCleanup, type CleanupDocument } from './store/cleanup-lease.ts';
import { collectBlobs } from '../blobs/collect-blobs.ts';

const PERIOD_MS = 60_000;
/** Of each kind, in one round: a round is short, and what is left over has its turn at once. */
const BATCH = 100;
/** A second replica that begins although the first one is not done does no harm: each step holds by itself. */
const LEASE_MS = 5 * 60_000;
/** Repeats of a deletion come no later. */
const MARKS_KEPT_MS = 24 * 3600_000;

/** Takes away what nothing needs any more: at start, and then once a minute, by one replica at a time. */
export function startCleanup(context: Context): Loop {
  return startLoop({
    name: 'cleanup',
    log: context.log,
    stalledAfterMs: 15 * PERIOD_MS,
    async run() {
      const isMore = await cleanUp(context);
      return isMore ? 0 : PERIOD_MS;
    },
  });
}

/** One round. Returns whether there may be more to do; false while another replica is at it. */
export async function cleanUp(context: Context): Promise<boolean> {
  const row = await leaseCleanup(context.db, LEASE_MS);
  if (!row) return false;
  try {
    return await cleanUpUnder(context, row);
  } catch (error) {
    if (error instanceof LeaseLost) return false; // Another replica goes on.
    throw error;
  }
}

/** The round of a process that has leased it. @throws LeaseLost */
export async function cleanUpUnder(context: Context, row: CleanupDocument): Promise<boolean> {
  const { db, log } = context;
  return withLease({ db, rows: cleanupRows, row, leaseMs: LEASE_MS, log }, async ({ lost }) => {
    let isMore = false;
    try {
      for (const [kind, step] of Object.entries(STEPS)) {
        if (lost.aborted) return false;
        const count = await step(context);
        if (count > 0) log.info({ kind, count }, 'clean-up finished');
        isMore ||= count >= BATCH;
      }
    } finally {
      if (!lost.aborted) await cleanupRows.giveBack(db, row);
    }
    return isMore;
  });
}

/** Each returns how many it had in hand. Failures that are kept for callers to read end by themselves, by their index. */
const STEPS: Readonly<Record<string, (context: Context) => Promise<number>>> = {
  upload: (context) => sweepUploads(context, BATCH),
  derivative: async (context) => counted('derivative', await sweepDerivatives(context)),
  media_mark: (context) => removeMarks(context, 'media'),
  node_mark: (context) => removeMarks(context, 'nodes'),
  blob: (context) => collectBlobs(context, BATCH),
};

async function removeMarks({ db }: Context, collection: Marked): Promise<number> {
  return counted('mark', await removeDeletionMarks(db, collection, MARKS_KEPT_MS, BATCH));
}

function counted(kind: 'derivative' | 'mark', count: number): number {
  if (count > 0) collected(kind, 0, count);
  return count;
}
