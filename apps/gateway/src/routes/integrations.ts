import { z } from 'zod';
import { access } from '../access.ts';
import { exampleIntegration } from '../resources/integration-example.ts';
import { integration, integrationFromProto } from '../resources/integration.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../resources/page.ts';
import { route } from '../route.ts';

export const listIntegrations = route({
  method: 'get',
  path: '/api/businesses/{business_id}/integrations',
  operationId: 'list_integrations',
  summary: 'List connected accounts',
  description: 'Newest first. The `id` of each is the integration id.',
  tag: 'Integrations',
  access: access.read,
  scope: 'business',
  resource: 'integration',
  self: 'page',
  params: { business_id: z.uuid() },
  query: { limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(integration, 'IntegrationPage'),
  status: 200,
  examples: { answer: { items: [exampleIntegration], next: null } },
  async handler({ publisher }, { query, call }) {
    const request = { pageSize: query.limit, pageToken: query.cursor };
    const { integrations, nextPageToken } = await publisher.listIntegrations(request, { call });
    return { body: { items: integrations.map(integrationFromProto), next: nextOf(nextPageToken) } };
  },
});
