import type { PlatformFailure } from '@fanfare/connectors';
import { shortMessage, withoutQueries, type DeliveryEntry } from '../../deliveries/domain/delivery-entries.ts';

/** What happened to a removal: entries of the timeline of its post. */
export type RemovalEntries = readonly DeliveryEntry[];

/** The platform says that the post does not exist any more. */
export const removedEntries: RemovalEntries = [{ kind: 'removal_attempt', details: { outcome: 'ok' } }];

/** A call failed. @param until when it is repeated; undefined if it is not */
export function failureEntries(failure: PlatformFailure, until?: Date): RemovalEntries {
  const message = shortMessage(failure);
  const reason = failure.class === 'rate_limited' ? 'rate_limited' : 'retry';
  const wait = { kind: 'removal_waiting', details: { reason, until: until?.toISOString() } };
  // What was not sent is no attempt.
  if (until && failure.effect === 'not_sent') return [wait];
  return [{ kind: 'removal_attempt', details: { outcome: failure.class, message } }, ...(until ? [wait] : [])];
}

/** The operator has paused publishing. One entry for each pause. The timeline says `held`, as that of a delivery. */
export const pausedEntries: RemovalEntries = [{ kind: 'removal_waiting', details: { reason: 'held' } }];

/** It has failed for good, with or without a call. */
export const failedEntries = (error_type: string, message: string): RemovalEntries => [
  { kind: 'removal_failed', details: { error_type, message: withoutQueries(message) } },
];
