import { startLeasedLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { deliveriesInFlight } from '../metrics.ts';
import { findDueDeliveries, findNextRunAt, leaseDelivery, type DueDelivery, type Except, type Leased } from '../store/due-deliveries.ts';
import { deliver } from './deliver.ts';

/** A process that dies gives its deliveries up after this. */
const LEASE_MS = 10_000;
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
  const leaseMs = LEASE_MS * config.timeScale;
  /** Due when they were looked up, the longest due first. Others may have leased them since. */
  let known: DueDelivery[] = [];
  let lookedPastAt = -Infinity;

  return startLeasedLoop<Leased>({
    name: 'deliveries',
    log: context.log,
    size: config.inFlight.total,
    idleMs: IDLE_MS,
    onInFlight: (count) => deliveriesInFlight.set(count),
    async lease(inFlight) {
      const held = await context.held();
      if (held.everything) return IDLE_MS;
      const except = {
        platforms: held.platforms,
        organizations: [...full(inFlight, 'organization_id', config.inFlight.perOrganization), ...held.organizations],
        integrations: [...full(inFlight, 'integration_id', config.inFlight.perAccount), ...held.integrations],
      };
      const isAnyExcepted = Object.values(except).some((some) => some.length > 0);
      for (;;) {
        const at = known.findIndex((one) => !isExcepted(one, except));
        const [due] = at === -1 ? [] : known.splice(at, 1);
        const leased = due && (await leaseDelivery(db, due._id, leaseMs));
        if (leased) return leased;
        if (due) continue;

        const sinceMs = performance.now() - lookedPastAt;
        if (isAnyExcepted && sinceMs < LOOK_PAST_MS) return LOOK_PAST_MS - sinceMs;
        if (isAnyExcepted) lookedPastAt = performance.now();
        const found = await findDueDeliveries(db, except, BATCH);
        if (found.length === 0) break;
        known = [...known, ...found].slice(-MAX_KNOWN);
      }
      // What is over a cap stays due: its turn comes when something ends, and that wakes us. So does what operators hold.
      if (isAnyExcepted) return IDLE_MS;
      const next = await findNextRunAt(db);
      return next ? Math.min(IDLE_MS, Math.max(5, next.getTime() - Date.now())) : IDLE_MS;
    },
    work: (leased, stop) =>
      deliver(context, leased, { leaseMs, isStopping: () => stop.aborted }).catch((error: unknown) =>
        context.log.error({ err: error, delivery_id: leased.delivery._id }, 'delivery interrupted'),
      ),
  });
}

/** The organizations, or accounts, that have as many under way as they may. */
function full(inFlight: readonly Leased[], member: 'organization_id' | 'integration_id', cap: number): string[] {
  const groups = Map.groupBy(inFlight, ({ delivery }) => delivery[member]);
  return [...groups].filter(([, held]) => held.length >= cap).map(([id]) => id);
}

function isExcepted({ platform, organization_id, integration_id }: DueDelivery, except: Except): boolean {
  return (
    except.platforms.includes(platform) || except.organizations.includes(organization_id) || except.integrations.includes(integration_id)
  );
}
