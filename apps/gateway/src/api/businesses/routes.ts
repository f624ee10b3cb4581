import { present } from '@fanfare/resources';
import { z } from 'zod';
import { access, auditRequest, cancelDeletion, checkRevision, findDeletion, requestDeletion } from '../../accounts/index.ts';
import { route, type Exchange, type Route } from '../../http/route.ts';
import { actingOf } from '../common/acting-of.ts';
import { exampleDeletion } from '../common/deletion.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { business, businessFromProto, businessSummary, businessSummaryFromProto, showBusiness } from './business.ts';
import { createBusinessBody, toCreateBusinessRequest, toUpdateBusinessRequest, updateBusinessBody } from './business-body.ts';
import { exampleBusiness, exampleBusinessSummary, exampleNewBusiness } from './business-example.ts';
import { REVOKING } from '../integrations/revoking.ts';

const businesses = { tag: 'Businesses', resource: 'business' } as const;
const FOR_PEOPLE = 'Only signed-in owners and admins of the organization can do this; API keys cannot.';

const listBusinesses = route({
  ...businesses,
  method: 'get',
  path: '/api/businesses',
  operationId: 'list_businesses',
  sdkMethod: 'businesses.list',
  summary: 'List businesses',
  description:
    'Newest first. An API key lists the businesses of its organization; a signed-in user, those of all of their organizations. ' +
    'Fetch all pages before you conclude that a business does not exist. The items are summaries: `get_business` returns the full business.',
  access: access.read,
  scope: 'caller',
  self: 'page',
  params: {},
  query: {
    name: z.string({ error: 'must be given once' }).max(200, 'is longer than 200 characters').default('').meta({
      type: 'string',
      default: undefined,
      description: 'Part of the name, case-insensitive: É finds é, but SS does not find ß. All characters are literal, including % and _.',
    }),
    limit: limitParam(100),
    cursor: cursorParam(),
  },
  returns: pageOf(businessSummary, 'BusinessPage'),
  status: 200,
  examples: { response: { items: [exampleBusinessSummary], next: null } },
  async handler({ content }, { query, caller, call }) {
    const organizationIds = caller.memberships.flatMap(({ organizationId, suspended }) => (suspended ? [] : [organizationId]));
    const request = { organizationIds, name: query.name, pageSize: query.limit, pageToken: query.cursor };
    const { businesses, nextPageToken } = await content.listBusinesses(request, { call });
    return { body: { items: businesses.map(businessSummaryFromProto), next: nextOf(nextPageToken) } };
  },
});

const createBusiness = route({
  ...businesses,
  method: 'post',
  path: '/api/businesses',
  operationId: 'create_business',
  sdkMethod: 'businesses.create',
  summary: 'Create a business',
  description: `${FOR_PEOPLE} Fields that are missing or null get their defaults.`,
  access: access.usersOnly('admin'),
  scope: 'organization',
  idempotent: true,
  params: {},
  query: {},
  body: createBusinessBody,
  returns: business,
  status: 201,
  errors: ['invalid_value'],
  examples: {
    body: { name: 'Corner Bakery', industry: 'Food and drink', timezone: 'Europe/Berlin', palette: ['#aa3300'] },
    response: exampleNewBusiness,
  },
  async handler({ content }, { body, ids, call }) {
    const request = toCreateBusinessRequest(body, { operationId: ids.operationId, businessId: ids.resourceId });
    const created = present((await content.createBusiness(request, { call })).business);
    return { body: businessFromProto(created), location: `/api/businesses/${created.id}`, revision: created.revision };
  },
});

const getBusiness = route({
  ...businesses,
  method: 'get',
  path: '/api/businesses/{business_id}',
  operationId: 'get_business',
  sdkMethod: 'businesses.get',
  summary: 'Get a business',
  description: 'Returns the business with its brand profile and defaults.',
  access: access.read,
  scope: 'business',
  self: 'resource',
  params: { business_id: z.uuid() },
  query: {},
  returns: business,
  status: 200,
  examples: { response: exampleBusiness },
  async handler({ content, db }, { params, call }) {
    const [{ business: found }, deleting] = await Promise.all([
      content.getBusiness({ businessId: params.business_id }, { call }),
      findDeletion(db, params.business_id),
    ]);
    return showBusiness(present(found), deleting ?? undefined);
  },
});

const updateBusiness = route({
  ...businesses,
  method: 'patch',
  path: '/api/businesses/{business_id}',
  operationId: 'update_business',
  sdkMethod: 'businesses.update',
  summary: 'Update a business',
  description: `${FOR_PEOPLE} Changes only the fields you send. null restores the default. Lists are replaced as a whole.`,
  access: access.usersOnly('admin'),
  scope: 'business',
  self: 'resource',
  params: { business_id: z.uuid() },
  query: {},
  body: updateBusinessBody,
  returns: business,
  status: 200,
  errors: ['invalid_value', 'precondition_failed'],
  examples: {
    body: { tone: 'Warm and short', logo_media_id: null, link_tracking: { utm_campaign: 'spring', utm_content: '{post_id}' } },
    response: { ...exampleBusiness, logo_media_id: null },
  },
  async handler({ content }, { params, body, ids, ifRevisions, call }) {
    const edit = { operationId: ids.operationId, businessId: params.business_id, expectedRevisions: [...ifRevisions] };
    const updated = present((await content.updateBusiness(toUpdateBusinessRequest(body, edit), { call })).business);
    return { body: businessFromProto(updated), revision: updated.revision };
  },
});

const deleteBusiness = route({
  ...businesses,
  method: 'delete',
  path: '/api/businesses/{business_id}',
  operationId: 'delete_business',
  sdkMethod: 'businesses.delete',
  summary: 'Delete a business',
  description:
    `${FOR_PEOPLE} Nothing of the business is published any more, as soon as you get the response: posts that become due wait, and queues skip their slots. A post that is ` +
    'being published just now still gets its result. Until `deletion.final_at`, a week later, the business can be read and restored. Then everything of it is erased in ' +
    'all places: posts, media, designs, statistics, timelines, events and webhook deliveries. Its accounts are disconnected, and our access to them is revoked at the ' +
    `platforms that support that. ${REVOKING} Posts on the platforms stay there.\n\n` +
    'Poll the business until it is 404. A repeated request changes nothing.',
  access: access.usersOnly('admin'),
  scope: 'business',
  duringDeletion: true,
  self: 'resource',
  params: { business_id: z.uuid() },
  query: {},
  returns: business,
  status: 202,
  errors: ['precondition_failed'],
  examples: { response: { ...exampleBusiness, deletion: exampleDeletion } },
  async handler(context, exchange) {
    const { params, ifRevisions, call } = exchange;
    const found = present((await context.content.getBusiness({ businessId: params.business_id }, { call })).business);
    checkRevision(ifRevisions, 'business', found.revision);
    return showBusiness(found, await requestDeletion(context, deletedBy(exchange, found)));
  },
});

const restoreBusiness = route({
  ...businesses,
  method: 'post',
  path: '/api/businesses/{business_id}/restore',
  operationId: 'restore_business',
  sdkMethod: 'businesses.restore',
  summary: 'Restore a business that is being deleted',
  description:
    `${FOR_PEOPLE} Everything is as it was when the deletion was requested. Posts that became due meanwhile are late: their \`misfire_policy\` decides what happens to them. ` +
    'A business that is not being deleted stays as it is.',
  access: access.usersOnly('admin'),
  scope: 'business',
  duringDeletion: true,
  self: 'resource',
  params: { business_id: z.uuid() },
  query: {},
  returns: business,
  status: 200,
  errors: ['conflict'],
  examples: { response: exampleBusiness },
  async handler(context, exchange) {
    const { params, call } = exchange;
    const found = present((await context.content.getBusiness({ businessId: params.business_id }, { call })).business);
    await cancelDeletion(context, deletedBy(exchange, found));
    return showBusiness(found, undefined);
  },
});

const deletedBy = (
  exchange: Pick<Exchange<unknown, unknown, unknown>, 'organization' | 'caller' | 'call' | 'request' | 'requestId'>,
  { id, name }: { readonly id: string; readonly name: string },
) => ({ ...actingOf(exchange), kind: 'business' as const, id, name, request: auditRequest(exchange.request, exchange) });

export const businessRoutes: readonly Route[] = [
  listBusinesses,
  createBusiness,
  getBusiness,
  updateBusiness,
  deleteBusiness,
  restoreBusiness,
];
