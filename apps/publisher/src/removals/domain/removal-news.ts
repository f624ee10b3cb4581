import type { PlatformFailure } from '@fanfare/connectors';
import { shortMessage, withoutQueries, type DeliveryFact } from '../../deliveries/domain/delivery-facts.ts';

/** What happened to a removal, for the timeline of its post. */
export type RemovalNews = readonly DeliveryFact[];

/** The platform says that the post is gone. */
export const removedNews: RemovalNews = [{ kind: 'removal_attempt', details: { outcome: 'ok' } }];

/** A call failed. @param until when it is repeated; undefined if it is not */
export function failureNews(failure: PlatformFailure, until?: Date): RemovalNews {
  const message = shortMessage(failure);
  const reason = failure.class === 'rate_limited' ? 'rate_limited' : 'retry';
  const wait = { kind: 'removal_waiting', details: { reason, until: until?.toISOString() } };
  // What was not sent is no attempt.
  if (until && failure.effect === 'not_sent') return [wait];
  return [{ kind: 'removal_attempt', details: { outcome: failure.class, message } }, ...(until ? [wait] : [])];
}

/** The operator has paused publishing. Told once for each pause. */
export const pausedNews: RemovalNews = [{ kind: 'removal_waiting', details: { reason: 'held' } }];

/** It has failed for good, with or without a call. */
export const failedNews = (error_type: string, message: string): RemovalNews => [
  { kind: 'removal_failed', details: { error_type, message: withoutQueries(message) } },
];
