import { access } from '../../accounts/index.ts';
import { countedAs, sharedBy } from '../../http/limits/limit.ts';
import { generationLimits, storageLimits } from '../../http/limits/plan-limits.ts';
import { route, type Route } from '../../http/route.ts';
import { organizationId } from '../common/organization-id.ts';
import { toUsage, usage } from './usage.ts';
import { exampleUsage } from './usage-example.ts';

const getUsage = route({
  method: 'get',
  path: '/api/usage',
  operationId: 'get_usage',
  sdkMethod: 'usage.get',
  tag: 'Usage',
  access: access.read,
  scope: 'organization',
  summary: 'Get the usage of limits and quotas',
  description: 'The windows are fixed: they start with each UTC minute, UTC day and ISO week (on Monday).',
  params: {},
  query: { organization_id: organizationId() },
  returns: usage,
  self: 'page',
  status: 200,
  examples: { response: exampleUsage },
  async handler({ library, generation, limiter }, { caller, organization, call }) {
    const [own, shared] = [countedAs(caller), sharedBy(organization)];
    const [requests, ofOrganization, stored, generated] = await Promise.all([
      limiter.read(own.id, own.limits, own.key),
      limiter.read(shared.id, shared.limits),
      library.getStorageUsage({}, { call }),
      generation.getUsage({}, { call }),
    ]);
    const windows = { own: requests.filter(({ isShared }) => !isShared), ofOrganization };
    return {
      body: toUsage(windows, storageLimits(organization.plan), stored, { limits: generationLimits(organization.plan), used: generated }),
    };
  },
});

export const usageRoutes: readonly Route[] = [getUsage];
