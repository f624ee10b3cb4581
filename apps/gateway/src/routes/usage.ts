import { access } from '../access.ts';
import { callerLimits } from '../pipeline/limit.ts';
import { organizationId } from '../resources/organization-id.ts';
import { usage, usageFromWindows } from '../resources/usage.ts';
import { route } from '../route.ts';

export const getUsage = route({
  method: 'get',
  path: '/api/usage',
  operationId: 'get_usage',
  tag: 'Usage',
  access: access.read,
  scope: 'organization',
  summary: 'Get what is used of the limits',
  description: 'Windows are fixed: they begin with the UTC minute, the UTC day and, on Mondays, the ISO week.',
  params: {},
  query: { organization_id: organizationId() },
  returns: usage,
  self: 'page',
  status: 200,
  async handler({ limiter }, { caller }) {
    return { body: usageFromWindows(await limiter.read(`${caller.kind}:${caller.id}`, callerLimits(caller))) };
  },
});
