import { startLeasedLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { deliveriesInFlight } from '../metrics.ts';
import { findNextRunAt, leaseDelivery, type Leased } from '../store/deliveries.ts';
import { deliver } from './deliver.ts';

/** A process that dies gives its deliveries up after this. */
const LEASE_MS = 10_000;
/** How often a replica looks when nothing woke it. One index seek. */
const IDLE_MS = 1_000;

/**
 * Leases deliveries that are due and that no operator holds, and carries each out until it ends or has to wait. Caps keep one organization or account from taking every
 * place. Stopping lets each delivery finish the step that it is in and hands it back.
 */
export function startDispatcher(context: Context): Loop {
  const { total, perOrganization, perAccount } = context.config.inFlight;
  const leaseMs = LEASE_MS * context.config.timeScale;

  return startLeasedLoop<Leased>({
    name: 'deliveries',
    log: context.log,
    size: total,
    idleMs: IDLE_MS,
    onInFlight: (count) => deliveriesInFlight.set(count),
    async lease(inFlight) {
      const full = (member: 'organization_id' | 'integration_id', cap: number) =>
        [...Map.groupBy(inFlight, ({ delivery }) => delivery[member])].filter(([, held]) => held.length >= cap).map(([id]) => id);
      const held = await context.held();
      if (held.everything) return IDLE_MS;
      const except = {
        platforms: held.platforms,
        organizations: [...full('organization_id', perOrganization), ...held.organizations],
        integrations: [...full('integration_id', perAccount), ...held.integrations],
      };
      const leased = await leaseDelivery(context.db, leaseMs, except);
      if (leased) return leased;
      // What is over a cap stays due: its turn comes when something ends, and that wakes us. So does what operators hold.
      if (Object.values(except).some((some) => some.length > 0)) return IDLE_MS;
      const next = await findNextRunAt(context.db);
      return next ? Math.min(IDLE_MS, Math.max(5, next.getTime() - Date.now())) : IDLE_MS;
    },
    work: (leased, stop) =>
      deliver(context, leased, { leaseMs, isStopping: () => stop.aborted }).catch((error: unknown) =>
        context.log.error({ err: error, delivery_id: leased.delivery._id }, 'delivery interrupted'),
      ),
  });
}
