import { startWorker, type Worker } from '@fanfare/leased-work';
import { contextFor } from '../canary/context-for.ts';
import type { Context } from '../context.ts';
import { deliveriesInFlight } from '../metrics.ts';
import type { DeliveryDocument } from '../deliveries/delivery.ts';
import { deliveryRows } from '../deliveries/store/deliveries.ts';
import { findDueDeliveries } from '../deliveries/store/due-deliveries.ts';
import { findDueRestored } from '../restore/store/restored-deliveries.ts';
import { slotsBeside, type Caps, type DueDelivery, type Except } from '../concurrency/slots.ts';
import { deliver, idsOf, leaseMsOf } from './deliver.ts';

/** How often a replica looks for due deliveries when nothing woke it. One index seek. */
const IDLE_MS = 1_000;
/** How many due deliveries are looked up at a time. */
const BATCH = 100;
/** How many due deliveries that cannot start yet are remembered; the others are looked up again. */
const MAX_KNOWN = 1_000;
/** Looking past the deliveries of those that exceed their share is costly, so it is done at most this often. */
const LOOK_PAST_MS = 100;
const LEAST_WAIT_MS = 5;

/**
 * Leases due deliveries that are not paused, and carries out each until it ends or has to wait. No organization takes another's share
 * of the slots; unused slots are lent. On stop, each delivery finishes its current step and is released.
 */
export function startDispatcher(context: Context): Worker {
  const { db, config } = context;
  const leaseMs = leaseMsOf(context);
  const caps: Caps = { ...config.inFlight, perPlatform: context.platformLimits.of };
  /** Due when they were looked up, the longest due first. Other replicas may have leased them since. */
  let known: DueDelivery[] = [];
  let lookedPastAt = -Infinity;

  /** Whether any of them is new. */
  const look = async (except: Except): Promise<boolean> => {
    const found = await findDueDeliveries(db, except, BATCH);
    const ids = new Set(known.map(({ _id }) => _id));
    const fresh = found.filter(({ _id }) => !ids.has(_id));
    known = [...known, ...fresh].slice(-MAX_KNOWN);
    return fresh.length > 0;
  };

  /** Even while everything is paused, deliveries of a restored backup are reconciled, which only reads, and completed if their post is there. */
  const takeRestored = async (inWork: number): Promise<DeliveryDocument[] | number> => {
    const ids = await findDueRestored(db, Math.max(0, config.inFlight.total - inWork));
    const leased = ids.length > 0 ? await deliveryRows.leaseThese(db, ids, leaseMs) : [];
    return leased.length > 0 ? leased : IDLE_MS;
  };

  return startWorker<DeliveryDocument>({
    name: 'deliveries',
    db,
    log: context.log,
    rows: deliveryRows,
    // `take` decides how many.
    size: Infinity,
    leaseMs,
    idleMs: IDLE_MS,
    idsOf,
    onInWork: (count) => deliveriesInFlight.set(count),
    work: (lease) => deliver(contextFor(context, lease.row.organization_id), lease),
    async take(underWay) {
      const paused = await context.paused();
      if (paused.everything) return takeRestored(underWay.length);
      let hasLooked = { forShares: false, forBorrowing: false };
      for (;;) {
        const slots = slotsBeside(underWay, known, caps, paused);
        const { share = [], others = [] } = Object.groupBy(known, (due) => (slots.takeWithinShare(due) ? 'share' : 'others'));
        const { loan = [], rest = [] } = Object.groupBy(others, (due) => (slots.borrow(due) ? 'loan' : 'rest'));
        known = rest;
        const chosen = [...share, ...loan];
        const ids = chosen.map(({ _id }) => _id);
        const leased = ids.length > 0 ? await deliveryRows.leaseThese(db, ids, leaseMs) : [];
        if (leased.length > 0) return leased;
        if (chosen.length > 0) continue;

        const { exceptForShares, exceptForBorrowing } = slots;
        const isAnyExcepted = isAnyIn(exceptForShares);
        const waitMs = isAnyExcepted ? LOOK_PAST_MS - (performance.now() - lookedPastAt) : 0;
        if (!hasLooked.forShares && waitMs <= 0) {
          hasLooked = { ...hasLooked, forShares: true };
          const isAny = await look(exceptForShares);
          if (isAnyExcepted) lookedPastAt = performance.now();
          if (isAny) continue;
        }
        if (!hasLooked.forBorrowing && isAnyExcepted && exceptForBorrowing) {
          hasLooked = { ...hasLooked, forBorrowing: true };
          if (await look(exceptForBorrowing)) continue;
        }
        if (isAnyExcepted && waitMs > 0) return waitMs;
        // Deliveries over a limit, and paused ones, stay due. The end of a delivery wakes this loop.
        if (isAnyExcepted) return IDLE_MS;
        return Math.min(IDLE_MS, Math.max(LEAST_WAIT_MS, (await deliveryRows.nextInMs(db)) ?? IDLE_MS));
      }
    },
  });
}

const isAnyIn = (except: Except): boolean => Object.values(except).some((values: readonly unknown[]) => values.length > 0);
