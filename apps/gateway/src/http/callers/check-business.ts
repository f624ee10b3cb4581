import { DomainError } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import type { Access, Caller, Membership } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import { checkAccess } from './authenticate.ts';

/**
 * Checks that the business of a call exists and belongs to the caller's organization, and that the caller may do this there. Services rely on this check.
 * @throws DomainError resource_not_found, permission_denied
 */
export async function checkBusiness(
  { businesses }: Pick<Context, 'businesses'>,
  access: Access,
  caller: Caller,
  metadata: CallMetadata,
): Promise<Membership> {
  const owner = await businesses.ownerOf(metadata.businessId, metadata);
  const membership = caller.memberships.find(({ organizationId }) => organizationId === owner);
  if (!membership) throw new DomainError('permission_denied', 'This business belongs to another organization.', { param: 'business_id' });
  checkAccess(access, caller, membership);
  return membership;
}
