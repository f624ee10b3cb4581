import { derivedId } from '@fanfare/runtime';
import type { EndpointDocument } from '../endpoints/endpoint.ts';
import type { EventDocument } from '../feed/event.ts';
import { KEPT_MS } from '../kept.ts';
import type { DeliveryDocument } from './delivery.ts';

/** There is one delivery of an event to an endpoint, whoever creates it. */
export const deliveryIdOf = (eventId: string, endpointId: string): string => derivedId(eventId, endpointId);

/** A delivery that is due now. */
export const newDelivery = (event: EventDocument, endpoint: Pick<EndpointDocument, '_id'>, at: Date): DeliveryDocument => ({
  _id: deliveryIdOf(event._id, endpoint._id),
  organization_id: event.organization_id,
  endpoint_id: endpoint._id,
  event_id: event._id,
  event_type: event.type,
  business_id: event.business_id,
  resource_id: event.resource_id,
  sequence: event.sequence,
  status: 'pending',
  created_at: at,
  begun_at: at,
  next_attempt_at: at,
  tries: 0,
  attempt_count: 0,
  attempts: [],
  expires_at: new Date(event.stored_at.getTime() + KEPT_MS),
});
