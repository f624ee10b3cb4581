import { startWorker, type Worker } from '@fanfare/leased-work';
import { readGauge } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { intakeRetried, intakesInFlight } from '../metrics.ts';
import { isPassing } from './is-passing.ts';
import { countOpenIntakes, intakeRows, type IntakeDocument } from './store/intakes.ts';
import { giveUpIntake, processIntake } from './process-intake.ts';

/** After this time, another process takes over the intakes of a process that died. */
const LEASE_MS = 10_000;
/** How often an idle replica checks for work that another one has queued or abandoned. Costs one index lookup. */
const IDLE_MS = 2_000;
const TOTAL = 6;
const PER_ORGANIZATION = 3;
/** With delays from two seconds to five minutes, about an hour in total. */
const ATTEMPTS = 18;
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 5 * 60_000;

/**
 * Processes intakes that are due. Organizations without running intakes come first, and none may use all slots. When it stops, it aborts running
 * intakes and returns their leases; the bytes that have arrived are kept.
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
      firstDelayMs: FIRST_DELAY_MS * timeScale,
      maxDelayMs: MAX_DELAY_MS * timeScale,
      passes: isPassing,
      onRetry: intakeRetried,
      giveUp: (lease, error) => giveUpIntake(context, lease, error),
    },
  });
}
