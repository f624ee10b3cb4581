import { present } from '@fanfare/resources';
import type { DeliveryStatus } from '@fanfare/contracts/webhooks';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { organizationId } from '../common/organization-id.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { typesParam } from '../common/event-types.ts';
import { delivery, deliveryFromProto, fullDelivery, fullDeliveryFromProto } from './delivery.ts';
import { timeParam } from '../common/time-param.ts';
import { exampleDelivery, exampleFullDelivery, examplePendingDelivery } from './webhook-example.ts';
import { webhookActionBody } from './webhook.ts';

const deliveries = { tag: 'Webhooks', scope: 'organization', resource: 'delivery' } as const;
const single = {
  ...deliveries,
  path: '/api/webhooks/{webhook_id}/deliveries/{delivery_id}',
  params: { webhook_id: z.uuid(), delivery_id: z.uuid() },
} as const;

const STATUSES = {
  pending: 'DELIVERY_STATUS_PENDING',
  succeeded: 'DELIVERY_STATUS_SUCCEEDED',
  failed: 'DELIVERY_STATUS_FAILED',
} as const satisfies Record<string, DeliveryStatus>;

const listDeliveries = route({
  ...deliveries,
  path: '/api/webhooks/{webhook_id}/deliveries',
  params: { webhook_id: z.uuid() },
  method: 'get',
  operationId: 'list_webhook_deliveries',
  sdkMethod: 'webhooks.listDeliveries',
  access: access.read,
  self: 'page',
  summary: 'List the deliveries to an endpoint',
  description: 'Newest first. Deliveries are kept for 30 days.',
  query: {
    organization_id: organizationId(),
    status: z.enum(['pending', 'succeeded', 'failed']).optional().meta({ description: 'Only deliveries with this status.' }),
    types: typesParam(),
    since: timeParam('Only deliveries that were created at this time or later.'),
    until: timeParam('Only deliveries that were created before this time.'),
    limit: limitParam(20),
    cursor: cursorParam(),
  },
  returns: pageOf(delivery, 'WebhookDeliveryPage'),
  status: 200,
  examples: { response: { items: [exampleDelivery], next: null } },
  async handler({ webhooks }, { params, query, call }) {
    const found = await webhooks.listDeliveries(
      {
        endpointId: params.webhook_id,
        status: query.status === undefined ? 'DELIVERY_STATUS_UNSPECIFIED' : STATUSES[query.status],
        types: query.types ?? [],
        since: query.since,
        until: query.until,
        pageSize: query.limit,
        pageToken: query.cursor,
      },
      { call },
    );
    return { body: { items: found.deliveries.map(deliveryFromProto), next: nextOf(found.nextPageToken) } };
  },
});

const getDelivery = route({
  ...single,
  method: 'get',
  operationId: 'get_webhook_delivery',
  sdkMethod: 'webhooks.getDelivery',
  access: access.read,
  summary: 'Get a delivery',
  description: 'Returns the delivery with its attempts: what was sent and what was received.',
  query: { organization_id: organizationId() },
  returns: fullDelivery,
  status: 200,
  examples: { response: exampleFullDelivery },
  async handler({ webhooks }, { params, call }) {
    const request = { endpointId: params.webhook_id, deliveryId: params.delivery_id };
    return { body: fullDeliveryFromProto(present((await webhooks.getDelivery(request, { call })).delivery)) };
  },
});

const redeliver = route({
  ...single,
  path: `${single.path}/redeliver`,
  method: 'post',
  operationId: 'redeliver_webhook_delivery',
  sdkMethod: 'webhooks.redeliver',
  access: access.manage,
  summary: 'Send an event again',
  description: 'Sends the event of a delivery again, whatever its status, and retries it for 24 hours.',
  query: {},
  body: webhookActionBody,
  returns: delivery,
  status: 202,
  errors: ['conflict'],
  examples: { body: {}, response: examplePendingDelivery },
  async handler({ webhooks }, { params, call }) {
    const request = { endpointId: params.webhook_id, deliveryId: params.delivery_id };
    const repeated = present((await webhooks.redeliverDelivery(request, { call })).delivery);
    return { body: deliveryFromProto(repeated), location: `/api/webhooks/${repeated.endpointId}/deliveries/${repeated.id}` };
  },
});

export const deliveryRoutes: readonly Route[] = [listDeliveries, getDelivery, redeliver];
