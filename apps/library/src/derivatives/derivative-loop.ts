import { readGauge, startLeasedLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { countWaiting, leaseDerivative, type DerivativeDocument } from './store/derivatives.ts';
import { workOffDerivative } from './work-off-derivative.ts';

/** How often a replica looks when nothing woke it: another one may have died, or have more than it can do. One index seek. */
const IDLE_MS = 2_000;

/**
 * Leases derivatives that are due and makes them, as many at a time as there are background processes. An organization that has nothing in flight
 * goes first. Stopping breaks off what is under way and hands it back.
 */
export function startDerivativeLoop(context: Context): Loop {
  const { config, db, log, workers } = context;
  const { leaseMs } = config.workers;
  readGauge('fanfare_library_derivatives_waiting', 'Derivatives that wait or are being made, in all replicas.', () => countWaiting(db));

  return startLeasedLoop<DerivativeDocument>({
    name: 'derivatives',
    log,
    size: workers.background.size,
    idleMs: IDLE_MS,
    async lease(inFlight) {
      const others = [...new Set(inFlight.map(({ organization_id }) => organization_id))];
      const leased = others.length > 0 ? await leaseDerivative(db, leaseMs, others) : null;
      return leased ?? (await leaseDerivative(db, leaseMs, [])) ?? IDLE_MS;
    },
    work: (leased, stop) =>
      workOffDerivative(context, leased, stop).catch((error: unknown) =>
        log.error({ err: error, derivative_id: leased._id }, 'derivative interrupted'),
      ),
  });
}
