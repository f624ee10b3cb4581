import { startWorker, type Worker } from '@fanfare/leased-work';
import type { Context } from '../context.ts';
import { remove, type TakingBack } from './remove.ts';
import { removalRows, type RemovalDocument } from './store/removals.ts';

const SIZE = 8;
const MOST_PER_ORGANIZATION = 4;
const IDLE_MS = 2_000;
/** Longer than a call and the refresh before it; renewed while the work runs. */
const LEASE_MS = 10_000;

/**
 * Removes published posts from their platforms, from rows that outlive the process.
 * @param takingBack writes what a removal that takes a post back means for its delivery, in its transaction
 */
export function startRemovals(context: Context, takingBack: TakingBack): Worker {
  const { db, log, config } = context;
  return startWorker<RemovalDocument>({
    name: 'removals',
    db,
    log,
    rows: removalRows,
    size: SIZE,
    leaseMs: LEASE_MS * config.deadlineScale,
    idleMs: IDLE_MS,
    fair: { by: 'organization_id', most: MOST_PER_ORGANIZATION },
    idsOf: ({ _id, delivery_id, post_id, organization_id, platform, flow_id }) => ({
      ...{ removal_id: _id, delivery_id, post_id, organization_id, platform, flow_id },
    }),
    work: (lease) => remove({ ...context, takingBack }, lease),
  });
}
