import { webhookFromProto } from '@fanfare/resources';
import type { EndpointDocument } from '../endpoints/endpoint.ts';
import { toEndpoint } from '../endpoints/to-endpoint.ts';
import type { NewEvent } from '../feed/event.ts';

/** An event about an endpoint itself. */
export const webhookEvent = (
  type: 'webhook.test' | 'webhook.disabled',
  endpoint: EndpointDocument,
  { at, actor, requestId }: { at: Date; actor: string; requestId?: string },
): NewEvent => ({
  organization_id: endpoint.organization_id,
  business_id: '',
  timestamp: at,
  resource_id: endpoint._id,
  revision: endpoint.revision,
  actor,
  ...(requestId && { request_id: requestId }),
  types: () => [type],
  data: webhookFromProto(toEndpoint(endpoint)),
  remembered: 'as_events',
});
