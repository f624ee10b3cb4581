import { DomainError } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import type { Caller, Membership } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import type { Route } from '../route.ts';
import { checkAccess } from './authenticate.ts';
import { checkDeleting } from './check-deleting.ts';

/**
 * Checks that the business of a call exists and belongs to the caller's organization, and that the caller may do this there. Services rely on this check.
 * @throws DomainError resource_not_found, permission_denied; conflict if it is being deleted
 */
export async function checkBusiness(
  { businesses }: Pick<Context, 'businesses'>,
  route: Pick<Route, 'access' | 'method' | 'duringDeletion'>,
  caller: Caller,
  metadata: CallMetadata,
): Promise<Membership> {
  const { organizationId, deletion } = await businesses.ownerOf(metadata.businessId, metadata);
  const membership = caller.memberships.find((one) => one.organizationId === organizationId);
  if (!membership) throw new DomainError('permission_denied', 'This business belongs to another organization.', { param: 'business_id' });
  checkAccess(route.access, caller, membership);
  checkDeleting(route, 'organization', membership.finalAt);
  checkDeleting(route, 'business', deletion?.final_at);
  return membership;
}
