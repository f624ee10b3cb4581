import { LeaseLost, startWorker, type Lease, type Worker } from '@fanfare/leased-work';
import { currentTime } from '@fanfare/runtime';
import { closeDeletion, type DeletionDocument, deletionRows, idsOfDeletion, setClosures, writeDeletion } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { lateDocuments } from '../metrics.ts';
import { beginErasing } from './begin-erasing.ts';
import { endErasing } from './end-erasing.ts';
import { eraseEverywhere, type Progress } from './erase-everywhere.ts';

const AT_ONCE = 2;
const LEASE_MS = 60_000;
const IDLE_MS = 5_000;
/** After a service did not respond. */
const RETRY_MS = 10_000;
/** While something has to end first, such as a post that is being published. */
const WAIT_MS = 2_000;
/** Requests that were running when everything was erased, and transactions of consumers, have ended by then: what they wrote is erased, too. */
const SWEEP_MS = 60 * 60_000;

/** Carries out deletions: stops or resumes publishing in the services, and erases what is final. Every step can be repeated, so a process that takes over continues. */
export function startDeletions(context: Context): Worker {
  const { db, log } = context;
  return startWorker<DeletionDocument>({
    ...{ name: 'deletions', db, log, rows: deletionRows, size: AT_ONCE, leaseMs: LEASE_MS, idleMs: IDLE_MS },
    idsOf: idsOfDeletion,
    async work(lease) {
      try {
        await carryOut(context, lease);
      } catch (error) {
        if (error instanceof LeaseLost || lease.signal.aborted) throw error;
        lease.log.warn({ err: error, retry_in_ms: RETRY_MS }, 'a deletion could not be continued yet');
        await deletionRows.postpone(db, lease.row, RETRY_MS);
      }
    },
  });
}

async function carryOut(context: Context, lease: Lease<DeletionDocument>): Promise<void> {
  const { db } = context;
  const { state, told_revision, revision } = lease.row;
  if ((state === 'pending' || state === 'cancelled') && told_revision !== revision) {
    // It also sets the time at which there is something to do next.
    return setClosures(context, lease.row);
  }
  if (state === 'cancelled') return closeDeletion(db, lease.row);
  if (state === 'pending') {
    const inMs = lease.row.final_at.getTime() - currentTime().getTime();
    if (inMs > 0) return deletionRows.postpone(db, lease.row, inMs);
    return beginErasing(context, lease);
  }
  if (state === 'erased') return sweep(context, lease);
  const progress = await eraseEverywhere(context, lease);
  if (progress.waitingFor !== undefined) return wait(context, lease, progress);
  await endErasing(context, lease, SWEEP_MS);
}

/** The state of a deletion is for operators: `npm run admin -- deletions list`. */
async function wait({ db }: Context, lease: Lease<DeletionDocument>, { waitingFor }: Progress): Promise<void> {
  lease.row = await writeDeletion(db, lease.row, { waiting_for: waitingFor });
  await deletionRows.postpone(db, lease.row, WAIT_MS);
}

/** Erases what was written late. Repeated until nothing was. */
async function sweep(context: Context, lease: Lease<DeletionDocument>): Promise<void> {
  const { db } = context;
  const { waitingFor, erased } = await eraseEverywhere(context, lease);
  if (erased > 0) {
    lateDocuments.inc(erased);
    lease.log.warn({ erased }, 'something was written after it was erased, and is erased now');
  }
  if (waitingFor === undefined && erased === 0) return closeDeletion(db, lease.row);
  lease.row = await writeDeletion(db, lease.row, { done: undefined });
  await deletionRows.postpone(db, lease.row, SWEEP_MS);
}
