import { counter, histogram, readGauge } from '@fanfare/runtime';
import type { EventDocument } from './feed/event.ts';
import type { Attempted } from './sending/attempt.ts';

const attempts = counter(
  'fanfare_webhook_attempts_total',
  'Requests to webhook endpoints, by outcome: accepted, rejected, or no response.',
  ['outcome'],
);
const delay = histogram('fanfare_webhook_delay_seconds', 'From the time when an event was stored until an endpoint accepted it.', []);
export const endpointsDisabled = counter('fanfare_webhook_endpoints_disabled_total', 'Webhook endpoints that were disabled, by reason.', [
  'reason',
]);

export function countAttempt({ attempt: { at, duration_ms, status_code }, isAccepted }: Attempted, { stored_at }: EventDocument): void {
  attempts.inc({ outcome: isAccepted ? 'accepted' : status_code === undefined ? 'no_response' : 'rejected' });
  if (isAccepted) delay.observe((at.getTime() + duration_ms - stored_at.getTime()) / 1_000);
}

/** The metric to scale by. */
export const readDeliveriesDue = (count: () => Promise<number>) =>
  readGauge('fanfare_webhook_deliveries_due', 'Deliveries whose next attempt is due.', count);
