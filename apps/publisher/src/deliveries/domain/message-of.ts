import type { PlatformFailure } from '@fanfare/connectors';

/** What an operator has to wait for or buy, by the connectors' `detail.operator`: what all our customers share. */
const USED_UP: readonly unknown[] = ['credits_depleted', 'usage_capped', 'quota_exceeded', 'active_user_cap'];

/** The failure in words for customers: the platform's own, but for what is a matter of our app with the platform and not of the customer's account. */
export function messageOf({ message, detail }: Pick<PlatformFailure, 'message' | 'detail'>): string {
  if (detail['operator'] === undefined) return message;
  if (USED_UP.includes(detail['operator'])) {
    return 'This service has used up its own quota at the platform. Your account is not the cause; the operator of this service must fix it.';
  }
  return `The platform rejected this service's own access. Your account is not the cause; the operator of this service must fix it. Platform message: ${message}`;
}
