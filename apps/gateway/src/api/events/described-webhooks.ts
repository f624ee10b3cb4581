import { EVENT_TYPE_NAMES, EVENT_TYPES } from '@fanfare/resources';
import type { DescribedWebhook } from '../../http/openapi/describe-webhook.ts';
import { eventsByKind } from './event.ts';
import { exampleEventOf } from './event-example.ts';

/** What is sent to endpoints, for the OpenAPI description: one for each type of event. */
export const describedWebhooks: readonly DescribedWebhook[] = EVENT_TYPE_NAMES.map((type) => ({
  name: type,
  tag: 'Webhooks',
  description: EVENT_TYPES[type].description,
  schema: eventsByKind[EVENT_TYPES[type].resource],
  example: exampleEventOf(type),
}));
