import { DomainError, notFound } from '@fanfare/errors';
import { isUuid } from '@fanfare/runtime';
import type { Caller, Membership } from '../../accounts/index.ts';

const param = 'organization_id';

/**
 * Which organization a request is about: the one that it names, or the caller's only one. Undefined when several are possible.
 * A malformed id is ignored here; the check of the query rejects it later.
 * @throws DomainError permission_denied
 */
export function resolveOrganization({ memberships }: Caller, named: unknown): Membership | undefined {
  if (typeof named === 'string' && isUuid(named)) {
    const membership = memberships.find(({ organizationId }) => organizationId === named.toLowerCase());
    if (membership) return membership;
    throw new DomainError('permission_denied', 'You do not belong to this organization.', { param });
  }
  if (memberships.length === 0) throw new DomainError('permission_denied', 'You do not belong to any organization.');
  return memberships.length === 1 ? memberships[0] : undefined;
}

export function organizationMissing(): DomainError {
  return new DomainError('missing_field', 'You belong to several organizations. Send organization_id.', { param });
}

/**
 * The organization in a path.
 * @throws DomainError resource_not_found, also for organizations that the caller does not belong to
 */
export function ownOrganization({ memberships }: Caller, id: string): Membership {
  const membership = memberships.find(({ organizationId }) => organizationId === id.toLowerCase());
  if (!membership) throw notFound('organization');
  return membership;
}
