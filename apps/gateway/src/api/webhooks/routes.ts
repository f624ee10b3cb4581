import { webhookFromProto, present } from '@fanfare/resources';
import type { Endpoint } from '@fanfare/contracts/webhooks';
import { DomainError } from '@fanfare/errors';
import { z } from 'zod';
import { access, auditRequest, recordAudit } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import { checkBusiness } from '../../http/callers/check-business.ts';
import { stateOf } from '../../http/request/request-state.ts';
import { route, type Exchange, type Route } from '../../http/route.ts';
import { DELETED, deleted } from '../common/deleted.ts';
import { organizationId } from '../common/organization-id.ts';
import { pageOf } from '../common/page.ts';
import { timestampInput } from '../common/timestamp.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { delivery, deliveryFromProto } from './delivery.ts';
import { toCreateRequest, toUpdateRequest } from './to-requests.ts';
import { createWebhookBody, updateWebhookBody, webhook, webhookActionBody, webhookWithSecret } from './webhook.ts';
import { examplePendingDelivery, exampleSecret, exampleWebhook } from './webhook-example.ts';

const webhooks = { tag: 'Webhooks', scope: 'organization', resource: 'webhook' } as const;
const collection = { ...webhooks, path: '/api/webhooks', params: {} } as const;
const single = { ...webhooks, path: '/api/webhooks/{webhook_id}', params: { webhook_id: z.uuid() } } as const;
const inQuery = { organization_id: organizationId() };

const listWebhooks = route({
  ...collection,
  method: 'get',
  operationId: 'list_webhooks',
  sdkMethod: 'webhooks.list',
  access: access.read,
  self: 'page',
  summary: 'List webhook endpoints',
  description: 'All endpoints of the organization, newest first. There are at most 20.',
  query: inQuery,
  returns: pageOf(webhook, 'WebhookPage'),
  status: 200,
  examples: { response: { items: [exampleWebhook], next: null } },
  async handler({ webhooks: service }, { call }) {
    const { endpoints } = await service.listEndpoints({}, { call });
    return { body: { items: endpoints.map(asBody), next: null } };
  },
});

const createWebhook = route({
  ...collection,
  method: 'post',
  operationId: 'create_webhook',
  sdkMethod: 'webhooks.create',
  access: access.manage,
  idempotent: true,
  summary: 'Create a webhook endpoint',
  description:
    'From now on, events that the endpoint selects are sent to it as `POST` requests. The body is the event, as `GET /api/events` returns it, and `webhook-id` is its id. Signatures follow the [Standard Webhooks](https://www.standardwebhooks.com) specification: verify them with its libraries or with the client library.\n\nA response of 200 to 299 within 15 seconds is success. Everything else is retried for 24 hours: after 5 and 30 seconds, 2, 10 and 30 minutes, 1, 2 and 4 hours, and then every 6 hours. `Retry-After` can make a delay longer. An event can arrive more than once: compare its id. An endpoint that responds with 410, or has failed for five days, is disabled.\n\nThe secret is returned only in this response. An organization can have 20 endpoints.',
  query: {},
  body: createWebhookBody,
  returns: webhookWithSecret,
  status: 201,
  errors: ['conflict', 'invalid_value', 'missing_field', 'resource_not_found'],
  examples: {
    body: { url: 'https://example.com/hooks/fanfare', events: ['post.*'] },
    response: { ...exampleWebhook, secret: exampleSecret },
  },
  async handler(context, exchange) {
    const { body, ids, call, request } = exchange;
    await checkBusinesses(context, exchange, body.business_ids);
    const version = stateOf(present(request.res)).version;
    const wanted = toCreateRequest(body, { operationId: ids.operationId, endpointId: ids.resourceId }, version);
    const { endpoint, secret } = await context.webhooks.createEndpoint(wanted, { call });
    const made = present(endpoint);
    await audit(context, exchange, 'webhook.created', made);
    return { body: withSecret(made, secret), location: `/api/webhooks/${made.id}`, revision: made.revision };
  },
});

const getWebhook = route({
  ...single,
  method: 'get',
  operationId: 'get_webhook',
  sdkMethod: 'webhooks.get',
  access: access.read,
  self: 'resource',
  summary: 'Get a webhook endpoint',
  description: 'Returns the endpoint without its secret.',
  query: inQuery,
  returns: webhook,
  status: 200,
  examples: { response: exampleWebhook },
  async handler({ webhooks: service }, { params, call }) {
    return whole(present((await service.getEndpoint({ endpointId: params.webhook_id }, { call })).endpoint));
  },
});

const updateWebhook = route({
  ...single,
  method: 'patch',
  operationId: 'update_webhook',
  sdkMethod: 'webhooks.update',
  access: access.manage,
  self: 'resource',
  summary: 'Update a webhook endpoint',
  description:
    'Changes only the fields you send. Lists, and `headers`, are replaced as a whole. Disabling an endpoint ends its pending deliveries.',
  query: {},
  body: updateWebhookBody,
  returns: webhook,
  status: 200,
  errors: ['invalid_value', 'precondition_failed'],
  examples: { body: { events: ['post.*', 'integration.*'] }, response: { ...exampleWebhook, events: ['post.*', 'integration.*'] } },
  async handler(context, exchange) {
    const { body, ids, params, ifRevisions, call } = exchange;
    const { organization_id: _, ...changes } = body;
    if (Object.keys(changes).length === 0) throw new DomainError('invalid_request', 'Provide at least one field to update.');
    await checkBusinesses(context, exchange, body.business_ids ?? []);
    const edit = { operationId: ids.operationId, endpointId: params.webhook_id, expectedRevisions: [...ifRevisions] };
    const updated = present((await context.webhooks.updateEndpoint(toUpdateRequest(body, edit), { call })).endpoint);
    await audit(context, exchange, 'webhook.updated', updated);
    return whole(updated);
  },
});

const deleteWebhook = route({
  ...single,
  method: 'delete',
  operationId: 'delete_webhook',
  sdkMethod: 'webhooks.delete',
  access: access.manage,
  summary: 'Delete a webhook endpoint',
  description: 'Deletes the endpoint with its secret and the log of its deliveries. Nothing is sent to it any more.',
  query: inQuery,
  returns: deleted,
  status: 200,
  errors: ['precondition_failed'],
  async handler(context, exchange) {
    const { params, ifRevisions, call } = exchange;
    await context.webhooks.deleteEndpoint({ endpointId: params.webhook_id, expectedRevisions: [...ifRevisions] }, { call });
    await audit(context, exchange, 'webhook.deleted', { id: params.webhook_id });
    return DELETED;
  },
});

const action = { ...webhooks, method: 'post', access: access.manage, params: single.params, query: {} } as const;

const testWebhook = route({
  ...action,
  path: `${single.path}/test`,
  operationId: 'test_webhook',
  sdkMethod: 'webhooks.test',
  resource: 'delivery',
  idempotent: true,
  summary: 'Test a webhook endpoint',
  description:
    'Sends a `webhook.test` event to this endpoint, even if it is disabled. It is sent at once, and not retried. Read the delivery to see the response.',
  body: webhookActionBody,
  returns: delivery,
  status: 202,
  examples: { body: {}, response: { ...examplePendingDelivery, event_type: 'webhook.test', business_id: null } },
  async handler({ webhooks: service }, { params, ids, call }) {
    const { delivery: made } = await service.testEndpoint({ endpointId: params.webhook_id, operationId: ids.operationId }, { call });
    const { id, endpointId } = present(made);
    return { body: deliveryFromProto(present(made)), location: `/api/webhooks/${endpointId}/deliveries/${id}` };
  },
});

const rotateSecret = route({
  ...action,
  path: `${single.path}/rotate-secret`,
  operationId: 'rotate_webhook_secret',
  sdkMethod: 'webhooks.rotateSecret',
  idempotent: true,
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'Creates a new secret, which is returned only in this response. For 24 hours, webhooks are signed with the former secret too, so you can switch without downtime. At most four former secrets are valid at a time.',
  body: webhookActionBody,
  returns: webhookWithSecret,
  status: 200,
  errors: ['conflict'],
  examples: { body: {}, response: { ...exampleWebhook, former_secret_until: '2026-08-07T09:30:00.000Z', secret: exampleSecret } },
  async handler(context, exchange) {
    const { params, ids, call } = exchange;
    const { endpoint, secret } = await context.webhooks.rotateSecret(
      { endpointId: params.webhook_id, operationId: ids.operationId },
      { call },
    );
    const rotated = present(endpoint);
    await audit(context, exchange, 'webhook.secret_rotated', rotated);
    return { body: withSecret(rotated, secret), revision: rotated.revision };
  },
});

const recoverWebhook = route({
  ...action,
  path: `${single.path}/recover`,
  operationId: 'recover_webhook',
  sdkMethod: 'webhooks.recover',
  summary: 'Resend missed events',
  description:
    'Sends the events since a time that the endpoint selects and has not accepted, oldest first. These are events whose deliveries failed, events that happened while the endpoint was disabled, and events from before it was created. Events that the endpoint has accepted are not sent again, so you can repeat the request.',
  body: webhookActionBody
    .extend({
      since: timestampInput('2026-08-05T00:00:00Z').meta({ description: 'Sends events from this time on. Events are kept for 30 days.' }),
    })
    .meta({ id: 'RecoverWebhook' }),
  returns: webhook,
  status: 202,
  errors: ['conflict', 'missing_field', 'invalid_value'],
  examples: { body: { since: '2026-08-05T00:00:00Z' }, response: exampleWebhook },
  async handler({ webhooks: service }, { params, body, call }) {
    const { endpoint } = await service.recoverEndpoint({ endpointId: params.webhook_id, since: body.since }, { call });
    const recovering = present(endpoint);
    return { body: asBody(recovering), location: `/api/webhooks/${recovering.id}` };
  },
});

export const webhookRoutes: readonly Route[] = [
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  rotateSecret,
  recoverWebhook,
  ...deliveryRoutes,
];

type Changing = Pick<Exchange<unknown, unknown, unknown>, 'organization' | 'caller' | 'ids' | 'call' | 'request' | 'requestId'>;

/** Checks that the businesses of a filter belong to the organization. @throws DomainError resource_not_found, permission_denied */
async function checkBusinesses(context: Context, { caller, call }: Changing, businessIds: readonly string[]): Promise<void> {
  for (const [index, businessId] of businessIds.entries()) {
    await checkBusiness(context, { access: access.manage, method: 'get' }, caller, { ...call.metadata, businessId }).catch(
      (error: unknown) => {
        throw error instanceof DomainError ? new DomainError(error.code, error.message, { param: `business_ids.${index}` }) : error;
      },
    );
  }
}

const audit = (context: Context, { organization, call, ids, request, requestId }: Changing, what: string, { id }: { id: string }) =>
  recordAudit(context, {
    id: ids.operationId,
    organizationId: organization.organizationId,
    actor: call.metadata.actor,
    action: what,
    targetType: 'webhook',
    targetId: id,
    request: auditRequest(request, { requestId }),
  });

const asBody = (endpoint: Endpoint) => webhookFromProto(endpoint) as z.input<typeof webhook>;
/** `failing_since` changes without a revision, and must change the ETag. */
const whole = (endpoint: Endpoint) => ({
  body: asBody(endpoint),
  revision: endpoint.revision,
  reading: endpoint.failingSince?.getTime() ?? 0,
});
const withSecret = (endpoint: Endpoint, secret: string) => ({
  ...asBody(endpoint),
  secret: endpoint.format === 'FORMAT_STANDARD' ? secret : null,
});
