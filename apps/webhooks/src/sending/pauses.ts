import type { Config } from '../config.ts';
import type { DeliveryDocument } from '../deliveries/delivery.ts';

type Sending = Config['sending'];

/** When a delivery whose attempt has failed is tried again; undefined when it has failed for good. */
export function nextAttemptAt(
  { begun_at, tries, event_type }: Pick<DeliveryDocument, 'begun_at' | 'tries' | 'event_type'>,
  now: Date,
  retryAfterMs: number,
  { delaysMs, triedForMs }: Sending,
): Date | undefined {
  if (event_type === 'webhook.test') return undefined;
  const endsAt = begun_at.getTime() + triedForMs;
  if (now.getTime() >= endsAt) return undefined;
  const delayMs = delaysMs[Math.min(tries, delaysMs.length - 1)] ?? 0;
  // The last attempt is made at the end.
  return new Date(Math.min(endsAt, now.getTime() + Math.max(jittered(delayMs), retryAfterMs)));
}

/** How long an endpoint that has failed so often in a row is left alone; 0 if it is not. */
export function breakMs(failures: number, { breaksAfter, firstBreakMs, longestBreakMs }: Sending): number {
  return failures < breaksAfter ? 0 : jittered(Math.min(longestBreakMs, firstBreakMs * 2 ** Math.min(failures - breaksAfter, 20)));
}

/** ± 20 %, so that not all that failed together is tried again together. */
const jittered = (ms: number): number => ms * (0.8 + Math.random() * 0.4);
