import type { Platform } from '@fanfare/connectors';
import type { LeasedRows } from '@fanfare/leased-work';
import type { ClockedWork } from '@fanfare/test-clock';
import type { Filter } from 'mongodb';
import { tokenCheckRows } from './accounts/store/token-checks.ts';
import type { Context } from './context.ts';
import type { DeliveryDocument } from './deliveries/delivery.ts';
import { deliveryRows } from './deliveries/store/deliveries.ts';
import { removalRows, type RemovalDocument } from './removals/store/removals.ts';

/** Those that do the work in this process. */
interface Workers {
  readonly dispatcher: Woken;
  readonly removals: Woken;
  readonly tokenChecks: Woken;
}
interface Woken {
  wake(): void;
}

/** What is due by the test clock of an organization. */
export function clockedWork(
  context: Pick<Context, 'db' | 'paused'>,
  { dispatcher, removals, tokenChecks }: Workers,
): readonly ClockedWork[] {
  const { db } = context;
  return [
    sending(context, 'deliveries', deliveryRows, dispatcher),
    sending(context, 'removals', removalRows, removals),
    {
      name: 'token checks',
      async left(organizationId) {
        const { isOpen, nextAt: dueAt } = await tokenCheckRows.workOf(db, organizationId);
        if (dueAt === undefined) return { isOpen };
        // The end of an access decides what becomes of posts. A mere refresh does not: a token that is about to end is also refreshed before it is used.
        const { nextAt: stopAt } = await tokenCheckRows.workOf(db, organizationId, ending(organizationId));
        return { isOpen, stopAt, dueAt };
      },
      async wake(organizationId, isAll) {
        if ((await tokenCheckRows.wake(db, organizationId, isAll ? undefined : ending(organizationId))) > 0) tokenChecks.wake();
      },
    },
  ];
}

/** Accounts whose tokens cannot be refreshed. */
const ending = (organizationId: string) => ({ organization_id: organizationId, refreshable: false });

/** A clock does not wait for what operators have paused. */
function sending<Row extends DeliveryDocument | RemovalDocument>(
  { db, paused }: Pick<Context, 'db' | 'paused'>,
  name: string,
  rows: LeasedRows<Row>,
  worker: Woken,
): ClockedWork {
  return {
    name,
    async left(organizationId) {
      const { everything, organizations, platforms, integrations } = await paused();
      if (everything || organizations.includes(organizationId)) return { isOpen: false };
      const unpaused: Filter<DeliveryDocument> = {
        organization_id: organizationId,
        ...(platforms.length > 0 && { platform: { $nin: platforms as Platform[] } }),
        ...(integrations.length > 0 && { integration_id: { $nin: [...integrations] } }),
      };
      const { isOpen, nextAt: stopAt } = await rows.workOf(db, organizationId, unpaused as Filter<Row>);
      return { isOpen, stopAt };
    },
    async wake(organizationId) {
      if ((await rows.wake(db, organizationId)) > 0) worker.wake();
    },
  };
}
