import type { CreateEndpointRequest, Format, UpdateEndpointRequest } from '@fanfare/contracts/webhooks';
import type { Version } from '@fanfare/resources';
import type { z } from 'zod';
import type { createWebhookBody, updateWebhookBody } from './webhook.ts';

const FORMATS = { standard: 'FORMAT_STANDARD', slack: 'FORMAT_SLACK', discord: 'FORMAT_DISCORD' } as const satisfies Record<string, Format>;

export const toCreateRequest = (
  body: z.output<typeof createWebhookBody>,
  ids: { operationId: string; endpointId: string },
  version: Version,
): CreateEndpointRequest => ({
  ...ids,
  url: body.url,
  events: body.events,
  businessIds: body.business_ids,
  platforms: body.platforms,
  description: body.description,
  headers: listOf(body.headers),
  version: body.version ?? version,
  format: FORMATS[body.format],
  ordered: body.ordered,
  rateLimitPerSecond: body.rate_limit_per_second ?? undefined,
  enabled: body.enabled,
});

export const toUpdateRequest = (
  body: z.output<typeof updateWebhookBody>,
  edit: { operationId: string; endpointId: string; expectedRevisions: number[] },
): UpdateEndpointRequest => ({
  ...edit,
  url: body.url,
  events: body.events && { values: body.events },
  businessIds: body.business_ids && { values: body.business_ids },
  platforms: body.platforms && { values: body.platforms },
  description: body.description,
  headers: body.headers && { values: listOf(body.headers) },
  version: body.version,
  format: body.format && FORMATS[body.format],
  ordered: body.ordered,
  rateLimitPerSecond: body.rate_limit_per_second === null ? 0 : body.rate_limit_per_second,
  enabled: body.enabled,
});

const listOf = (headers: Readonly<Record<string, string>>) => Object.entries(headers).map(([name, value]) => ({ name, value }));
