import type { CallMetadata } from '@fanfare/rpc';

/** The owner: every query is limited to one business of one organization. */
export type Scope = Pick<CallMetadata, 'organizationId' | 'businessId'>;

/** @throws Error if the call metadata has no business: the gateway always sends it, and has checked it */
export function scopeOf({ organizationId, businessId }: CallMetadata): Scope {
  if (organizationId === '' || businessId === '') throw new Error('The call metadata lacks the organization or the business.');
  return { organizationId, businessId };
}
