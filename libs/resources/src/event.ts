import type { Event } from '@fanfare/contracts/webhooks';
import { isoTime } from './required.ts';

/** The body of an event. Its `data` and `previous` are stored as JSON. */
export function eventFromProto(given: Event) {
  return {
    id: given.id,
    type: given.type,
    timestamp: isoTime(given.timestamp),
    sequence: given.sequence,
    business_id: given.businessId ?? null,
    revision: given.revision,
    actor: given.actor,
    request_id: given.requestId ?? null,
    data: JSON.parse(given.data) as Readonly<Record<string, unknown>>,
    previous: given.previous === undefined ? null : (JSON.parse(given.previous) as Readonly<Record<string, unknown>>),
  };
}
