import { startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { deliveriesInFlight } from '../metrics.ts';
import { findNextRunAt, leaseDelivery, type DeliveryDocument } from '../store/deliveries.ts';
import { deliver } from './deliver.ts';

/** A process that dies gives its deliveries up after this. */
const LEASE_MS = 10_000;
/** How often a replica looks when nothing woke it. One index seek. */
const IDLE_MS = 1_000;

/**
 * Leases deliveries that are due and carries each out until it ends or has to wait. Caps keep one organization or account from taking every
 * place. Stopping lets each delivery finish the step that it is in and hands it back.
 */
export function startDispatcher(context: Context): Loop {
  const { total, perOrganization, perAccount } = context.config.inFlight;
  const leaseMs = LEASE_MS * context.config.timeScale;
  const inFlight = new Map<Promise<void>, DeliveryDocument>();
  let stopping = false;

  const full = (member: 'organization_id' | 'integration_id', cap: number) =>
    [...Map.groupBy(inFlight.values(), (delivery) => delivery[member])].filter(([, held]) => held.length >= cap).map(([id]) => id);

  const loop = startLoop({
    name: 'deliveries',
    log: context.log,
    async run() {
      while (!stopping && inFlight.size < total) {
        const caps = { organizations: full('organization_id', perOrganization), integrations: full('integration_id', perAccount) };
        const leased = await leaseDelivery(context.db, leaseMs, caps);
        if (!leased) {
          // What is over a cap stays due: its turn comes when something ends, and that wakes us.
          if (caps.organizations.length + caps.integrations.length > 0) return IDLE_MS;
          const next = await findNextRunAt(context.db);
          return next ? Math.min(IDLE_MS, Math.max(5, next.getTime() - Date.now())) : IDLE_MS;
        }
        const work = deliver(context, leased, { leaseMs, isStopping: () => stopping })
          .catch((error: unknown) => context.log.error({ err: error, delivery_id: leased.delivery._id }, 'delivery interrupted'))
          .finally(() => {
            inFlight.delete(work);
            deliveriesInFlight.set(inFlight.size);
            loop.wake();
          });
        inFlight.set(work, leased.delivery);
        deliveriesInFlight.set(inFlight.size);
      }
      return IDLE_MS;
    },
  });

  return {
    ...loop,
    async stop() {
      stopping = true;
      await loop.stop();
      await Promise.all(inFlight.keys());
    },
  };
}
