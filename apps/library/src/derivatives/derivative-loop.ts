import { startWorker, type Worker } from '@fanfare/leased-work';
import { readGauge } from '@fanfare/runtime';
import { MediaRejected } from '@fanfare/media-tools';
import type { Context } from '../context.ts';
import { derivativeRetried } from '../metrics.ts';
import { countWaiting, derivativeRows, type DerivativeDocument } from './store/derivatives.ts';
import { giveUpDerivative, processDerivative } from './process-derivative.ts';

/** How often an idle replica checks for work that another one has queued or abandoned. Costs one index lookup. */
const IDLE_MS = 2_000;
const ATTEMPTS = 3;
const MAX_DELAY_MS = 60_000;

/**
 * Makes derivatives that are due, as many at a time as there are background processes. Organizations without running work come first. When it stops,
 * it aborts running work and returns its leases.
 */
export function startDerivativeLoop(context: Context): Worker {
  const { config, db, log, workers } = context;
  const { size } = workers.background;
  readGauge('fanfare_library_derivatives_waiting', 'Derivatives that are queued or being made, in all replicas.', () => countWaiting(db));

  return startWorker<DerivativeDocument>({
    name: 'derivatives',
    db,
    log,
    rows: derivativeRows,
    size,
    leaseMs: config.workers.leaseMs,
    idleMs: IDLE_MS,
    fair: { by: 'organization_id', most: size },
    idsOf: ({ _id, media_id, organization_id }) => ({ derivative_id: _id, media_id, organization_id }),
    work: (lease) => processDerivative(context, lease),
    retry: {
      attempts: ATTEMPTS,
      firstDelayMs: config.workers.retryMs,
      maxDelayMs: MAX_DELAY_MS,
      passes: (error) => !(error instanceof MediaRejected),
      onRetry: derivativeRetried,
      giveUp: (lease, error) => giveUpDerivative(context, lease, error),
    },
  });
}
