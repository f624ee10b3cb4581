import type { Event } from '@fanfare/contracts/webhooks';
import type { EventDocument } from './event.ts';

export const toEvent = (event: EventDocument): Event => ({
  id: event._id,
  organizationId: event.organization_id,
  sequence: event.sequence,
  type: event.type,
  timestamp: event.timestamp,
  businessId: event.business_id || undefined,
  resourceId: event.resource_id,
  revision: event.revision,
  actor: event.actor,
  requestId: event.request_id,
  data: event.data,
  previous: event.previous,
});
