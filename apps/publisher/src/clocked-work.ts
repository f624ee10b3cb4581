import type { Platform } from '@fanfare/connectors';
import type { LeasedRows } from '@fanfare/leased-work';
import type { ClockedWork } from '@fanfare/test-clock';
import type { Filter } from 'mongodb';
import { tokenCheckRows } from './accounts/store/token-checks.ts';
import type { Context } from './context.ts';
import { deliveryRows, type DeliveryDocument } from './deliveries/store/deliveries.ts';
import { removalRows, type RemovalDocument } from './removals/store/removals.ts';

/** What is due by the test clock of an organization. */
export function clockedWork(context: Pick<Context, 'db' | 'paused'>): readonly ClockedWork[] {
  const { db } = context;
  return [
    sending(context, 'deliveries', deliveryRows),
    sending(context, 'removals', removalRows),
    {
      // The end of an access decides what becomes of posts. A mere refresh does not: a token that is about to end is also refreshed before it is used.
      name: 'ends of access',
      stops: true,
      left: (organizationId) => tokenCheckRows.workOf(db, organizationId, ending(organizationId)),
      wake: (organizationId) => tokenCheckRows.wake(db, organizationId, ending(organizationId)),
    },
    {
      name: 'token checks',
      stops: false,
      left: (organizationId) => tokenCheckRows.workOf(db, organizationId),
      wake: (organizationId) => tokenCheckRows.wake(db, organizationId),
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
): ClockedWork {
  return {
    name,
    stops: true,
    async left(organizationId) {
      const { everything, organizations, platforms, integrations } = await paused();
      if (everything || organizations.includes(organizationId)) return { isOpen: false };
      const unpaused: Filter<DeliveryDocument> = {
        organization_id: organizationId,
        ...(platforms.length > 0 && { platform: { $nin: platforms as Platform[] } }),
        ...(integrations.length > 0 && { integration_id: { $nin: [...integrations] } }),
      };
      return rows.workOf(db, organizationId, unpaused as Filter<Row>);
    },
    wake: (organizationId) => rows.wake(db, organizationId),
  };
}
