import type { PlatformFailure } from '@fanfare/connectors';

/** Values of `detail.operator` for limits that all customers share: the operator has to wait or buy more. */
const USED_UP: readonly unknown[] = ['credits_depleted', 'usage_capped', 'quota_exceeded', 'active_user_cap'];

/** The failure's message for customers: the platform's own, unless the cause is our app and not the customer's account. */
export function messageOf({ message, detail }: Pick<PlatformFailure, 'message' | 'detail'>): string {
  if (detail['operator'] === undefined) return message;
  if (USED_UP.includes(detail['operator'])) {
    return 'This service has used up its own quota at the platform. Your account is not the cause; the operator of this service must fix it.';
  }
  return `The platform rejected this service's own access. Your account is not the cause; the operator of this service must fix it. Platform message: ${message}`;
}

/** The same when nothing is tried any more. */
export function finalMessageOf(failure: Pick<PlatformFailure, 'class' | 'effect' | 'message' | 'detail'>): string {
  if (failure.class !== 'transient') return messageOf(failure);
  // The message of what was not sent is about the moment.
  if (failure.effect === 'not_sent') return 'Given up: the platform could not be reached for too long.';
  return `Given up after several attempts. The last one failed: ${messageOf(failure)}`;
}
