import { readGauge, startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { intakesInFlight } from '../metrics.ts';
import { countOpenIntakes, leaseIntake, nextIntakeInMs } from '../store/intakes.ts';
import { workOffIntake } from './work-off-intake.ts';

/** A process that dies gives its intakes up after this. */
const LEASE_MS = 10_000;
/** How often a replica looks when nothing woke it: another one may have died, or have more than it can do. One index seek. */
const IDLE_MS = 2_000;
const TOTAL = 6;
const PER_ORGANIZATION = 3;

/**
 * Leases intakes that are due and works each off until it ends or has to wait. An organization that has nothing in flight goes first, and none takes
 * every place. Stopping breaks off what is under way and hands it back with all that has come so far.
 */
export function startIntakeLoop(context: Context): Loop {
  const { db, log, config } = context;
  const leaseMs = LEASE_MS * config.intakes.timeScale;
  const inFlight = new Map<Promise<void>, string>();
  const stopping = new AbortController();
  readGauge('fanfare_library_intakes_open', 'Intakes that wait or are worked at, in all replicas.', () => countOpenIntakes(db));

  const lease = async () => {
    const counts = new Map<string, number>();
    for (const organization of inFlight.values()) counts.set(organization, (counts.get(organization) ?? 0) + 1);
    const full = [...counts].filter(([, count]) => count >= PER_ORGANIZATION).map(([organization]) => organization);
    const idle = await leaseIntake(db, leaseMs, [...counts.keys()]);
    return { leased: idle ?? (counts.size > full.length ? await leaseIntake(db, leaseMs, full) : null), full };
  };

  const loop = startLoop({
    name: 'intakes',
    log,
    async run() {
      while (!stopping.signal.aborted && inFlight.size < TOTAL) {
        const { leased, full } = await lease();
        if (!leased) {
          // What is over the cap stays due: its turn comes when something ends, and that wakes us.
          return full.length > 0 ? IDLE_MS : Math.min(IDLE_MS, Math.max(5, (await nextIntakeInMs(db)) ?? IDLE_MS));
        }
        const work = workOffIntake(context, leased, { leaseMs, stop: stopping.signal })
          .catch((error: unknown) => log.error({ err: error, media_id: leased._id }, 'intake interrupted'))
          .finally(() => {
            inFlight.delete(work);
            intakesInFlight(inFlight.size);
            loop.wake();
          });
        inFlight.set(work, leased.organization_id);
        intakesInFlight(inFlight.size);
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
