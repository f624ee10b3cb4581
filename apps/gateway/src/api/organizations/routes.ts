import { DomainError, notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { z } from 'zod';
import {
  access,
  auditRequest,
  checkActing,
  checkRevision,
  findOrganization,
  listOrganizations as findOrganizations,
  recordAudit,
  renameOrganization,
} from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { actingOf } from '../common/acting-of.ts';
import { pageOf } from '../common/page.ts';
import { organization as resource, organizationFromStore, updateOrganizationBody } from './organization.ts';
import { exampleOrganization } from './organization-example.ts';

const organizations = { tag: 'Organizations', resource: 'organization', query: {}, status: 200 } as const;
const single = {
  ...organizations,
  path: '/api/organizations/{organization_id}',
  scope: 'organization',
  params: { organization_id: z.string() },
  self: 'resource',
  returns: resource,
} as const;

const listOrganizations = route({
  ...organizations,
  method: 'get',
  path: '/api/organizations',
  operationId: 'list_organizations',
  sdkMethod: 'organizations.list',
  access: access.read,
  scope: 'caller',
  self: 'page',
  summary: 'List your organizations',
  description:
    'The organizations you belong to, newest first, on one page. `GET /api/me` shows your role in each. An API key belongs to one organization.',
  params: {},
  returns: pageOf(resource, 'OrganizationPage'),
  examples: { response: { items: [exampleOrganization], next: null } },
  async handler({ db }, { caller }) {
    const found = await findOrganizations(
      db,
      caller.memberships.map(({ organizationId }) => organizationId),
    );
    const newestFirst = found.toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime() || (a._id < b._id ? 1 : -1));
    return { body: { items: newestFirst.map((each) => organizationFromStore(each)), next: null } };
  },
});

const getOrganization = route({
  ...single,
  method: 'get',
  operationId: 'get_organization',
  sdkMethod: 'organizations.get',
  access: access.read,
  summary: 'Get an organization',
  examples: { response: exampleOrganization },
  async handler({ db }, { organization }) {
    const found = await findOrganization(db, organization.organizationId);
    if (!found) throw notFound('organization');
    return { body: organizationFromStore(found), revision: found.revision ?? 1 };
  },
});

const updateOrganization = route({
  ...single,
  method: 'patch',
  operationId: 'update_organization',
  sdkMethod: 'organizations.update',
  access: access.manage,
  summary: 'Rename an organization',
  body: updateOrganizationBody,
  errors: ['invalid_request', 'precondition_failed'],
  examples: { body: { name: 'Corner Bakery' }, response: exampleOrganization },
  async handler(context, exchange) {
    const { body, ifRevisions, request, requestId } = exchange;
    const acting = actingOf(exchange);
    const { organizationId, actor } = acting;
    const { name } = body;
    if (name === undefined) throw new DomainError('invalid_request', 'Nothing to update: send name.');
    const renamed = await transaction(context.mongo.client, async (session) => {
      await checkActing(context.db, acting, session);
      const before = await findOrganization(context.db, organizationId, session);
      if (!before) throw notFound('organization');
      checkRevision(ifRevisions, 'organization', before.revision ?? 1);
      if (before.name === name) return before;
      const entry = {
        organizationId,
        actor,
        action: 'organization.renamed',
        targetType: 'organization',
        targetId: organizationId,
        details: { from: before.name, to: name },
        request: auditRequest(request, { requestId }),
      };
      await recordAudit(context, entry, session);
      return (await renameOrganization(context.db, organizationId, name, session)) ?? before;
    });
    return { body: organizationFromStore(renamed), revision: renamed.revision ?? 1 };
  },
});

export const organizationRoutes: readonly Route[] = [listOrganizations, getOrganization, updateOrganization];
