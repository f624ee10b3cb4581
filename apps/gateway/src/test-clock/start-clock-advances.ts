import { startWorker, type Lease, type Worker } from '@fanfare/leased-work';
import { currentMs, learnClock, now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { deleteExpiredRecords } from '../http/store/idempotency-records.ts';
import { latenessOf, nextStep } from './next-step.ts';
import { untilQuiet, advanceServices, type KnownEvents } from './until-quiet.ts';
import { clockRows, endAdvance, moveClock, type TestClockDocument } from './store/test-clocks.ts';

/** How many clocks one process advances at a time. */
const SIZE = 4;
const LEASE_MS = 10_000;
const IDLE_MS = 1_000;

/** Advances test clocks. If this process dies, another one continues where it stopped. */
export function startClockAdvances(context: Context): Worker {
  const { db, log } = context;
  return startWorker<TestClockDocument>({
    ...{ name: 'test-clocks', db, log, rows: clockRows, size: SIZE, leaseMs: LEASE_MS, idleMs: IDLE_MS },
    idsOf: ({ _id }) => ({ organization_id: _id }),
    async work(lease) {
      try {
        await advance(context, lease);
      } catch (error) {
        if (!lease.stopping.aborted || lease.lost.aborted) throw error;
        // This process stops: another one continues at once.
        await clockRows.giveBack(db, lease.row);
      }
    },
  });
}

/**
 * Moves a clock to its target, from one time at which something is due to the next. At each it waits until everything is done, so that what happens has its
 * own time, and one thing after the other. A stop makes the target earlier meanwhile: the clock then stays where it is.
 * @throws LeaseLost
 */
async function advance(context: Context, lease: Lease<TestClockDocument>): Promise<void> {
  const { db } = context;
  const { _id: organizationId, from_at: from, target_at: requested } = lease.row;
  if (!from || !requested) throw new Error(`The clock of organization ${organizationId} has no target.`);
  const target = () => lease.row.target_at ?? requested;
  const hasArrived = () => now(organizationId) >= target();
  const clock = { organizationId, signal: lease.signal, log: lease.log };
  const known: KnownEvents = new Map();
  const begunAt = performance.now();
  let steps = 0;
  // A process that died may have stored a time that no service knows yet.
  let haveAll = await sendTime(true);
  for (;;) {
    const due = await untilQuiet(context, clock, known);
    // If the clock was stopped, or reached its target just by running, other work may still have to be made due.
    if (haveAll && hasArrived()) break;
    const { to, allWork } = nextStep(due, now(organizationId), target(), latenessOf(from, requested));
    lease.row = await moveClock(db, lease.row, to.getTime() - currentMs());
    haveAll = await sendTime(allWork);
    steps++;
  }
  await deleteExpiredRecords(db, organizationId);
  const { target_at } = lease.row;
  lease.row = await endAdvance(db, lease.row);
  lease.log.info({ target_at, steps, took_ms: Math.round(performance.now() - begunAt) }, 'a test clock was advanced');

  /** @returns whether the work that is due then is all that is due */
  async function sendTime(allWork: boolean): Promise<boolean> {
    const { ahead_ms: aheadMs } = lease.row;
    learnClock(organizationId, aheadMs);
    await advanceServices(context, clock, { aheadMs, allWork });
    return allWork;
  }
}
