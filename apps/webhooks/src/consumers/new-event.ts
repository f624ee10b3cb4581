import type { Received } from '@fanfare/events';
import type { NewEvent } from '../feed/event.ts';

/** The event of a change: what it has in common with all others comes from its attributes. */
export const newEvent = (received: Received<unknown>, of: Pick<NewEvent, 'types' | 'data' | 'remembered' | 'platforms'>): NewEvent => ({
  organization_id: received.organizationId,
  business_id: received.businessId,
  timestamp: received.time,
  resource_id: received.subject,
  revision: received.revision,
  // Emitters of older versions do not name the actor.
  actor: received.actor || `system:${received.source}`,
  ...(received.requestId !== '' && { request_id: received.requestId }),
  ...of,
});
