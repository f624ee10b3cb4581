import { startWorker, type Worker } from '@fanfare/leased-work';
import { readGauge } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { intakeRetried, intakesInFlight } from '../metrics.ts';
import { isPassing } from './is-passing.ts';
import { countOpenIntakes, intakeRows, type IntakeDocument } from './store/intakes.ts';
import { giveUpIntake, processIntake } from './process-intake.ts';

/** A process that dies gives its intakes up after this. */
const LEASE_MS = 10_000;
/** How often a replica looks when nothing woke it: another one may have died, or have more than it can do. One index seek. */
const IDLE_MS = 2_000;
const TOTAL = 6;
const PER_ORGANIZATION = 3;
/** From two seconds to five minutes, about an hour in all: a server that is away for longer than that is the caller's to look at. */
const ATTEMPTS = 18;
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 5 * 60_000;

/**
 * Leases intakes that are due and works each off until it ends or has to wait. An organization that has nothing in flight goes first, and none takes
 * every place. Stopping breaks off what is under way and hands it back with all that has come so far.
 */
export function startIntakeLoop(context: Context): Worker {
  const { db, log, config } = context;
  const { timeScale } = config.intakes;
  readGauge('fanfare_library_intakes_open', 'Intakes that are queued or in progress, in all replicas.', () => countOpenIntakes(db));

  return startWorker<IntakeDocument>({
    name: 'intakes',
    db,
    log,
    rows: intakeRows,
    size: TOTAL,
    leaseMs: LEASE_MS * timeScale,
    idleMs: IDLE_MS,
    fair: { by: 'organization_id', most: PER_ORGANIZATION },
    idsOf: ({ _id, organization_id, kind }) => ({ media_id: _id, organization_id, kind }),
    onInWork: intakesInFlight,
    work: (lease) => processIntake(context, lease),
    retry: {
      attempts: ATTEMPTS,
      firstPauseMs: FIRST_PAUSE_MS * timeScale,
      maxPauseMs: MAX_PAUSE_MS * timeScale,
      passes: isPassing,
      onRetry: intakeRetried,
      giveUp: (lease, error) => giveUpIntake(context, lease, error),
    },
  });
}
