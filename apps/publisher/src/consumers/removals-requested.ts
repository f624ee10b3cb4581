import type { Platform } from '@fanfare/connectors';
import type { RemovalsRequested } from '@fanfare/contracts/content/events';
import type { EventsHandler } from '@fanfare/events';
import type { Context } from '../context.ts';
import { insertRemovals, type NewRemoval } from '../removals/store/removals.ts';

/** Writes a row for each removal; the worker works from the rows. */
export const removalsRequested =
  ({ db }: Context): EventsHandler<RemovalsRequested> =>
  async (events, session) => {
    await insertRemovals(
      db,
      events.flatMap(({ data, flowId }) => rowsOf(data, flowId)),
      session,
    );
  };

const rowsOf = ({ removals, organizationId, businessId, postId }: RemovalsRequested, flowId: string): NewRemoval[] =>
  removals.map(({ removalId, deliveryId, integrationId, platform, publishId }) => ({
    _id: removalId,
    organization_id: organizationId,
    business_id: businessId,
    post_id: postId,
    delivery_id: deliveryId,
    integration_id: integrationId,
    platform: platform as Platform,
    ...(publishId !== undefined && { publish_id: publishId }),
    flow_id: flowId,
  }));
