import { currentMs, type Loop, startLeasedLoop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { deliveriesInFlight } from '../metrics.ts';
import { findDueDeliveries, findNextRunAt, leaseDeliveries, type DueDelivery, type Leased } from '../store/due-deliveries.ts';
import { deliver, leaseMsOf } from './deliver.ts';
import { placesBeside, type Places } from './places.ts';

/** How often a replica looks when nothing woke it. One index seek. */
const IDLE_MS = 1_000;
/** How many that are due are looked up at a time. */
const BATCH = 100;
/** What is known to be due and cannot be leased for a cap; beyond it is looked up again. */
const MAX_KNOWN = 1_000;
/** Looking past all that is over a cap costs by how much that is; it is done no more often than this. */
const LOOK_PAST_MS = 100;

/**
 * Leases deliveries that are due and that no operator holds, and carries each out until it ends or has to wait. Caps keep one organization or account from taking every
 * place. Stopping lets each delivery finish the step that it is in and hands it back.
 */
export function startDispatcher(context: Context): Loop {
  const { db, config } = context;
  const leaseMs = leaseMsOf(context);
  /** Due when they were looked up, the longest due first. Others may have leased them since. */
  let known: DueDelivery[] = [];
  let lookedPastAt = -Infinity;

  return startLeasedLoop<Leased>({
    name: 'deliveries',
    log: context.log,
    size: config.inFlight.total,
    idleMs: IDLE_MS,
    onInFlight: (count) => deliveriesInFlight.set(count),
    async lease(inFlight, room) {
      const held = await context.held();
      if (held.everything) return IDLE_MS;
      const underWay = inFlight.map(({ delivery }) => delivery);
      for (;;) {
        const places = placesBeside(underWay, config.inFlight, held);
        const { chosen = [], others = [] } = Object.groupBy(known, choosing(places, room));
        known = others;
        const leased = chosen.length > 0 ? await leaseDeliveries(db, idsOf(chosen), leaseMs) : [];
        if (leased.length > 0) return leased;
        if (chosen.length > 0) continue;

        const except = places.except();
        const isAnyExcepted = [...except.platforms, ...except.organizations, ...except.integrations].length > 0;
        const sinceMs = performance.now() - lookedPastAt;
        if (isAnyExcepted && sinceMs < LOOK_PAST_MS) return LOOK_PAST_MS - sinceMs;
        if (isAnyExcepted) lookedPastAt = performance.now();
        const found = await findDueDeliveries(db, except, BATCH);
        known = [...known, ...found].slice(-MAX_KNOWN);
        if (found.length > 0) continue;
        // What is over a cap stays due: its turn comes when something ends, and that wakes us. So does what operators hold.
        if (isAnyExcepted) return IDLE_MS;
        const next = await findNextRunAt(db);
        return next ? Math.min(IDLE_MS, Math.max(5, next.getTime() - currentMs())) : IDLE_MS;
      }
    },
    work: (leased, stop) =>
      deliver(context, leased, () => stop.aborted).catch((error: unknown) =>
        context.log.error({ err: error, delivery_id: leased.delivery._id }, 'delivery interrupted'),
      ),
  });
}

/** The first ones that may be under way beside the others, as many as there is room for. */
function choosing(places: Places, room: number): (due: DueDelivery) => 'chosen' | 'others' {
  let left = room;
  return (due) => (left > 0 && places.take(due) ? (left--, 'chosen') : 'others');
}

const idsOf = (due: readonly DueDelivery[]): string[] => due.map(({ _id }) => _id);
