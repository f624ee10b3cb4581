import { DomainError } from '@fanfare/errors';
import { currentTime, newId } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { insertOrganization, type OrganizationDocument } from '../store/organizations.ts';
import { findPlan } from '../store/plans.ts';

/** Creates an organization without members, for an operator. @throws DomainError invalid_value if there is no such plan */
export async function createOrganization(
  { db }: Pick<Context, 'db'>,
  given: Pick<OrganizationDocument, 'name' | 'plan_id' | 'mode'>,
): Promise<OrganizationDocument> {
  const document: OrganizationDocument = { _id: newId(), ...given, created_at: currentTime() };
  if (!(await findPlan(db, document.plan_id))) {
    throw new DomainError('invalid_value', `Plan "${document.plan_id}" not found.`, { param: 'plan' });
  }
  await insertOrganization(db, document);
  return document;
}
