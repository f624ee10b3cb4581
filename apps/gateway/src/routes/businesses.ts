import { z } from 'zod';
import { access } from '../access.ts';
import { businessFromProto, businessSummary } from '../resources/business.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../resources/page.ts';
import { route } from '../route.ts';

export const listBusinesses = route({
  method: 'get',
  path: '/api/businesses',
  operationId: 'list_businesses',
  summary: 'List businesses',
  description: 'The businesses of your organization, newest first. Keep paging before you conclude that a business does not exist.',
  tag: 'Businesses',
  access: access.read,
  scope: 'caller',
  resource: 'business',
  self: 'page',
  params: {},
  query: {
    name: z
      .string({ error: 'must be given once' })
      .max(200, 'is longer than 200 characters')
      .default('')
      .meta({ type: 'string', default: undefined, description: 'Part of the name, in any case; % and _ are taken literally.' }),
    limit: limitParam(100),
    cursor: cursorParam(),
  },
  returns: pageOf(businessSummary, 'BusinessPage'),
  status: 200,
  async handler({ content }, { query, call }) {
    const request = { name: query.name, pageSize: query.limit, pageToken: query.cursor };
    const { businesses, nextPageToken } = await content.listBusinesses(request, { call });
    return { body: { items: businesses.map(businessFromProto), next: nextOf(nextPageToken) } };
  },
});
