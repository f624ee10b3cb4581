import { readGauge, startLeasedLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { intakesInFlight } from '../metrics.ts';
import { countOpenIntakes, leaseIntake, nextIntakeInMs, type IntakeDocument } from './store/intakes.ts';
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
  readGauge('fanfare_library_intakes_open', 'Intakes that wait or are worked at, in all replicas.', () => countOpenIntakes(db));

  return startLeasedLoop<IntakeDocument>({
    name: 'intakes',
    log,
    size: TOTAL,
    idleMs: IDLE_MS,
    onInFlight: intakesInFlight,
    async lease(inFlight) {
      const held = Map.groupBy(inFlight, ({ organization_id }) => organization_id);
      const full = [...held].filter(([, intakes]) => intakes.length >= PER_ORGANIZATION).map(([organization]) => organization);
      const leased =
        (await leaseIntake(db, leaseMs, [...held.keys()])) ?? (held.size > full.length ? await leaseIntake(db, leaseMs, full) : null);
      if (leased) return leased;
      // What is over the cap stays due: its turn comes when something ends, and that wakes us.
      return full.length > 0 ? IDLE_MS : Math.min(IDLE_MS, Math.max(5, (await nextIntakeInMs(db)) ?? IDLE_MS));
    },
    work: (leased, stop) =>
      workOffIntake(context, leased, { leaseMs, stop }).catch((error: unknown) =>
        log.error({ err: error, media_id: leased._id }, 'intake interrupted'),
      ),
  });
}
