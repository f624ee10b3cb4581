import type { CallMetadata } from '@fanfare/rpc';

/** Whose media: every query is limited to one business of one organization. */
export type Scope = Pick<CallMetadata, 'organizationId' | 'businessId'>;

/** @throws Error when the call names no business: the gateway checks it and always sends it */
export function scopeOf({ organizationId, businessId }: CallMetadata): Scope {
  if (organizationId === '' || businessId === '') throw new Error('The call metadata lacks the organization or the business.');
  return { organizationId, businessId };
}
