import { DomainError, notFound } from '@fanfare/errors';
import type { Caller, Membership } from '../store/callers.ts';

/**
 * Which organization a request is about: the one that it names, or the only one that the caller has.
 * @throws DomainError missing_field, permission_denied, param `organization_id`
 */
export function settleOrganization({ memberships }: Caller, named: unknown): Membership {
  const param = 'organization_id';
  if (typeof named === 'string') {
    const membership = memberships.find(({ organizationId }) => organizationId === named.toLowerCase());
    if (membership) return membership;
    throw new DomainError('permission_denied', 'You do not belong to this organization.', { param });
  }
  const [only, second] = memberships;
  if (only && !second) return only;
  if (only) throw new DomainError('missing_field', 'You belong to several organizations: name one by organization_id.', { param });
  throw new DomainError('permission_denied', 'You belong to no organization.');
}

/**
 * The organization in a path.
 * @throws DomainError resource_not_found, also for those of others
 */
export function ownOrganization({ memberships }: Caller, id: string): Membership {
  const membership = memberships.find(({ organizationId }) => organizationId === id.toLowerCase());
  if (!membership) throw notFound('organization');
  return membership;
}
