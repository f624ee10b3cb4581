import { requiredName } from '../operator-requests/required.ts';
import { createOrganization as create } from '../people/create-organization.ts';
import { toOrganization } from '../store/organizations.ts';
import { DEFAULT_PLAN } from '../store/plans.ts';
import type { Rpc } from './rpc.ts';

export const createOrganization: Rpc<'createOrganization'> =
  (context) =>
  async ({ name, plan, mode }) => {
    const organization = await create(context, {
      name: requiredName('name', name, 200),
      plan_id: plan || DEFAULT_PLAN._id,
      mode: mode === 'ORGANIZATION_MODE_TEST' ? 'test' : 'live',
    });
    return { organization: toOrganization(organization) };
  };
