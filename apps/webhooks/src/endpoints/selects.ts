import { typesMatching, type EventTypeName } from '@fanfare/resources';
import type { EventDocument } from '../feed/event.ts';
import type { EndpointDocument } from './endpoint.ts';

/** Whether an event is delivered to an endpoint. A test is delivered only to the endpoint that it is about, also if that is disabled. */
export function selects(
  { _id, enabled, events, business_ids, platforms }: EndpointDocument,
  event: Pick<EventDocument, 'type' | 'business_id' | 'platforms' | 'resource_id'>,
): boolean {
  if (event.type === TEST) return event.resource_id === _id;
  return (
    enabled &&
    typesOf(events).has(event.type) &&
    (business_ids.length === 0 || business_ids.includes(event.business_id)) &&
    (platforms.length === 0 || event.platforms === undefined || event.platforms.some((platform) => platforms.includes(platform)))
  );
}

/** Whether an endpoint, enabled or not, names the type of an event that is opt-in. */
export const names = ({ organization_id, events }: EndpointDocument, event: Pick<EventDocument, 'organization_id' | 'type'>): boolean =>
  organization_id === event.organization_id && events.includes(event.type);

export const TEST: EventTypeName = 'webhook.test';

/** Patterns such as `post.*` as types. */
const typesOf = (patterns: readonly string[]): ReadonlySet<EventTypeName> => new Set(patterns.flatMap(typesMatching));
