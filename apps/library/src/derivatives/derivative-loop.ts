import { readGauge, startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { countWaiting, leaseDerivative } from '../store/derivatives.ts';
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
  const inFlight = new Map<Promise<void>, string>();
  const stopping = new AbortController();
  readGauge('fanfare_library_derivatives_waiting', 'Derivatives that wait or are being made, in all replicas.', () => countWaiting(db));

  const loop = startLoop({
    name: 'derivatives',
    log,
    async run() {
      while (!stopping.signal.aborted && inFlight.size < workers.background.size) {
        const others = [...new Set(inFlight.values())];
        const leased = (others.length > 0 ? await leaseDerivative(db, leaseMs, others) : null) ?? (await leaseDerivative(db, leaseMs, []));
        if (!leased) return IDLE_MS;
        const work = workOffDerivative(context, leased, stopping.signal)
          .catch((error: unknown) => log.error({ err: error, derivative_id: leased._id }, 'derivative interrupted'))
          .finally(() => {
            inFlight.delete(work);
            loop.wake();
          });
        inFlight.set(work, leased.organization_id);
      }
      return IDLE_MS;
    },
  });

  return {
    ...loop,
    async stop() {
      stopping.abort(new Error('The process stops.'));
      await loop.stop();
      await Promise.all(inFlight.keys());
    },
  };
}
