import { DomainError } from '@fanfare/errors';
import { currentTime, newId } from '@fanfare/runtime';
import { insertOrganization, toOrganization, type OrganizationDocument } from '../store/organizations.ts';
import { DEFAULT_PLAN, findPlan } from '../store/plans.ts';
import { requiredName } from '../operator-requests/required.ts';
import type { Rpc } from './rpc.ts';

export const createOrganization: Rpc<'createOrganization'> =
  ({ db }) =>
  async (request) => {
    const document: OrganizationDocument = {
      _id: newId(),
      name: requiredName('name', request.name, 200),
      plan_id: request.plan || DEFAULT_PLAN._id,
      mode: request.mode === 'ORGANIZATION_MODE_TEST' ? 'test' : 'live',
      created_at: currentTime(),
    };
    if (!(await findPlan(db, document.plan_id))) {
      throw new DomainError('invalid_value', `Plan "${document.plan_id}" not found.`, { param: 'plan' });
    }
    await insertOrganization(db, document);
    return { organization: toOrganization(document) };
  };
