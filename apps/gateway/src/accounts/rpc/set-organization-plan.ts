import { requestedBy } from '../operator-requests/requested-by.ts';
import { setOrganizationPlan as setPlan } from '../plans/set-organization-plan.ts';
import { toOrganization } from '../store/organizations.ts';
import type { Rpc } from './rpc.ts';

export const setOrganizationPlan: Rpc<'setOrganizationPlan'> =
  (context) =>
  async (request, { metadata }) => ({ organization: toOrganization(await setPlan(context, request, requestedBy(metadata))) });
