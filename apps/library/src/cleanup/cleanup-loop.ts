import { LeaseLost, withLease } from '@fanfare/leased-work';
import { startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { sweepDerivatives } from '../derivatives/sweep-derivatives.ts';
import { sweepArchives } from '../archives/drop-archives.ts';
import { sweepUploads } from '../blobs/sweep-uploads.ts';
import { collected } from '../metrics.ts';
import { removeDeletionMarks, type Marked } from './store/deletion-marks.ts';
import { cleanupRows, leaseCleanup, type CleanupDocument } from './store/cleanup-lease.ts';
import { collectBlobs } from '../blobs/collect-blobs.ts';

const PERIOD_MS = 60_000;
/** Items of each kind in a round. Rounds are short; if there are more items, the next round starts at once. */
const BATCH = 100;
/** Safe even if it expires during a round and another replica starts: each step can be repeated. */
const LEASE_MS = 5 * 60_000;
/** Longer than a client retries a deletion. */
const MARKS_KEPT_MS = 24 * 3600_000;

/** Deletes what is no longer needed: at start, then once a minute, on one replica at a time. */
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

/** Runs one round. Returns whether there may be more to do; false if another replica has the lease. */
export async function cleanUp(context: Context): Promise<boolean> {
  const row = await leaseCleanup(context.db, LEASE_MS);
  if (!row) return false;
  try {
    return await cleanUpUnder(context, row);
  } catch (error) {
    if (error instanceof LeaseLost) return false; // Another replica continues.
    throw error;
  }
}

/** Runs a round with a lease. @throws LeaseLost */
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

/** Each step returns how many items it processed. Failures that clients can read are not here: a TTL index deletes them. */
const STEPS: Readonly<Record<string, (context: Context) => Promise<number>>> = {
  upload: (context) => sweepUploads(context, BATCH),
  derivative: async (context) => counted('derivative', await sweepDerivatives(context)),
  media_mark: (context) => removeMarks(context, 'media'),
  node_mark: (context) => removeMarks(context, 'nodes'),
  archive: async (context) => counted('archive', await sweepArchives(context, BATCH)),
  blob: (context) => collectBlobs(context, BATCH),
};

async function removeMarks({ db }: Context, collection: Marked): Promise<number> {
  return counted('mark', await removeDeletionMarks(db, collection, MARKS_KEPT_MS, BATCH));
}

function counted(kind: 'archive' | 'derivative' | 'mark', count: number): number {
  if (count > 0) collected(kind, 0, count);
  return count;
}
