import { DomainError, notFound } from '@fanfare/errors';
import { z } from 'zod';
import {
  access,
  auditRequest,
  cancelDeletion,
  checkRevision,
  findDeletion,
  findOrganization,
  listOrganizations as findOrganizations,
  renameOrganization,
  requestDeletion,
} from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import { route, type Exchange, type Route } from '../../http/route.ts';
import { actingOf } from '../common/acting-of.ts';
import { exampleDeletion } from '../common/deletion.ts';
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
    const deleting = await Promise.all(newestFirst.map(({ _id }) => findDeletion(db, _id)));
    return { body: { items: newestFirst.map((each, at) => organizationFromStore(each, deleting[at] ?? undefined)), next: null } };
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
  handler: ({ db }, { organization }) => show(db, organization.organizationId),
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
    const { body, ifRevisions, request } = exchange;
    const { name } = body;
    if (name === undefined) throw new DomainError('invalid_request', 'Nothing to update: send name.');
    const acting = { ...actingOf(exchange), request: auditRequest(request, exchange) };
    const renamed = await renameOrganization(context, acting, { name, ifRevisions });
    return { body: organizationFromStore(renamed), revision: renamed.revision ?? 1 };
  },
});

const deleteOrganization = route({
  ...single,
  method: 'delete',
  operationId: 'delete_organization',
  sdkMethod: 'organizations.delete',
  access: access.usersOnly('owner'),
  duringDeletion: true,
  status: 202,
  summary: 'Delete an organization',
  description:
    'Only owners can do this; API keys cannot. Nothing of its businesses is published any more, as soon as you get the response. Until `deletion.final_at`, a month later, ' +
    'everything can be read and exported, and the organization can be restored. Then everything is erased: all businesses, as by `delete_business`, API keys, webhooks, ' +
    'members, invitations and the audit log. The sign-in of everybody who belongs to no other organization is deleted, too. Access to the accounts is revoked as `delete_business` describes. ' +
    'Posts on the platforms stay there.\n\n' +
    'For up to three seconds after the response, API keys and members can still change something, because credentials are cached. Such changes are not published. Poll the organization until it is 404, or your access token does not work any more. A repeated request changes nothing.',
  query: {
    confirm_name: z.string().max(1_000).optional().meta({
      description: 'Required: the name of the organization, exactly as it is, so that none is deleted by mistake.',
      example: 'Corner Bakery',
    }),
  },
  errors: ['missing_field', 'precondition_failed'],
  examples: { response: { ...exampleOrganization, deletion: { ...exampleDeletion, final_at: '2026-09-05T09:30:00.000Z' } } },
  async handler(context, exchange) {
    const { db } = context;
    const { organization, query, ifRevisions } = exchange;
    const found = await findOrganization(db, organization.organizationId);
    if (!found) throw notFound('organization');
    const { confirm_name: name } = query;
    if (name === undefined)
      throw new DomainError('missing_field', 'Send the name of the organization as confirm_name.', { param: 'confirm_name' });
    if (name !== found.name) throw new DomainError('invalid_value', 'This is not the name of the organization.', { param: 'confirm_name' });
    checkRevision(ifRevisions, 'organization', found.revision ?? 1);
    await requestDeletion(context, deletedBy(exchange, found));
    return show(db, found._id);
  },
});

const restoreOrganization = route({
  ...single,
  path: '/api/organizations/{organization_id}/restore',
  method: 'post',
  operationId: 'restore_organization',
  sdkMethod: 'organizations.restore',
  access: access.usersOnly('owner'),
  duringDeletion: true,
  summary: 'Restore an organization that is being deleted',
  description:
    'Only owners can do this; API keys cannot. Everything is as it was when the deletion was requested. Posts that became due meanwhile are late: their `misfire_policy` ' +
    'decides what happens to them. An organization that is not being deleted stays as it is.',
  errors: ['conflict'],
  examples: { response: exampleOrganization },
  async handler(context, exchange) {
    const { db } = context;
    const found = await findOrganization(db, exchange.organization.organizationId);
    if (!found) throw notFound('organization');
    await cancelDeletion(context, deletedBy(exchange, found));
    return show(db, found._id);
  },
});

const deletedBy = (
  exchange: Pick<Exchange<unknown, unknown, unknown>, 'organization' | 'caller' | 'call' | 'request' | 'requestId'>,
  { _id: id, name }: { readonly _id: string; readonly name: string },
) => ({ ...actingOf(exchange), kind: 'organization' as const, id, name, request: auditRequest(exchange.request, exchange) });

/** The organization as it is now. */
async function show(db: Context['db'], id: string) {
  const [found, deleting] = await Promise.all([findOrganization(db, id), findDeletion(db, id)]);
  if (!found) throw notFound('organization');
  return { body: organizationFromStore(found, deleting ?? undefined), location: `/api/organizations/${id}`, revision: found.revision ?? 1 };
}

export const organizationRoutes: readonly Route[] = [
  listOrganizations,
  getOrganization,
  updateOrganization,
  deleteOrganization,
  restoreOrganization,
];
