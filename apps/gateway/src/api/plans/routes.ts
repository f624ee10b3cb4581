import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { organizationId } from '../common/organization-id.ts';
import { revisionOf } from '../common/revision-of.ts';
import { plan, planFromStore } from './plan.ts';
import { examplePlan } from './plan-example.ts';

const getPlan = route({
  method: 'get',
  path: '/api/plan',
  operationId: 'get_plan',
  sdkMethod: 'plan.get',
  tag: 'Organizations',
  access: access.read,
  scope: 'organization',
  self: 'resource',
  summary: "Get the organization's plan",
  description: 'Returns the limits and quotas of the organization. `GET /api/usage` returns how much of them is used.',
  params: {},
  query: { organization_id: organizationId() },
  returns: plan,
  status: 200,
  examples: { response: examplePlan },
  async handler(_context, { organization }) {
    const body = planFromStore(organization.plan);
    return { body, revision: revisionOf(body) };
  },
});

export const planRoutes: readonly Route[] = [getPlan];
