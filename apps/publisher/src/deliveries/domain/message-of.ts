import type { PlatformFailure } from '@fanfare/connectors';

/** What an operator has to wait for or buy, by the connectors' `detail.operator`: what all our customers share. */
const USED_UP: readonly unknown[] = ['credits_depleted', 'usage_capped', 'quota_exceeded', 'active_user_cap'];

/** The failure in words for customers: the platform's own, but for what is a matter of our app with the platform and not of the customer's account. */
export function messageOf({ message, detail }: Pick<PlatformFailure, 'message' | 'detail'>): string {
  if (detail['operator'] === undefined) return message;
  if (USED_UP.includes(detail['operator'])) {
    return "This service's own access to the platform is used up for now. It is not your account's, and those who run the service have to see to it.";
  }
  return `This is a matter of this service's access to the platform, which those who run the service have to see to. The platform said: ${message}`;
}
