import { DomainError } from '@fanfare/errors';
import type { Db } from 'mongodb';
import { nameProblem } from '../../text/plain-name.ts';
import { findOrganization, type OrganizationDocument } from '../store/organizations.ts';

/** @throws DomainError missing_field if the text is empty or blank */
export function required(param: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new DomainError('missing_field', `${param} is required.`, { param });
  return trimmed;
}

/** The name of a person or an organization. @throws DomainError missing_field; invalid_value if it is too long, or must not be in mails */
export function requiredName(param: string, text: string, max: number): string {
  const name = required(param, text);
  const problem = name.length > max ? `must have at most ${max} characters` : nameProblem(name);
  if (problem !== undefined) throw new DomainError('invalid_value', `${param} ${problem}.`, { param });
  return name;
}

/** @throws DomainError invalid_value if no organization has this id */
export async function requiredOrganization(db: Db, organizationId: string): Promise<OrganizationDocument> {
  const organization = await findOrganization(db, organizationId);
  if (!organization) throw new DomainError('invalid_value', 'Organization not found.', { param: 'organization_id' });
  return organization;
}
