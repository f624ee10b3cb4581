import type { Endpoint, Format } from '@fanfare/contracts/webhooks';
import type { EndpointDocument, EndpointFormat } from './endpoint.ts';

const FORMATS: Readonly<Record<EndpointFormat, Format>> = { standard: 'FORMAT_STANDARD', slack: 'FORMAT_SLACK', discord: 'FORMAT_DISCORD' };

/** Unspecified means standard. */
export const toFormat = (format: Format): EndpointFormat =>
  format === 'FORMAT_SLACK' ? 'slack' : format === 'FORMAT_DISCORD' ? 'discord' : 'standard';

export const toEndpoint = (endpoint: EndpointDocument): Endpoint => ({
  id: endpoint._id,
  organizationId: endpoint.organization_id,
  revision: endpoint.revision,
  createdAt: endpoint.created_at,
  updatedAt: endpoint.updated_at,
  url: endpoint.shown_url,
  events: endpoint.events,
  businessIds: endpoint.business_ids,
  platforms: endpoint.platforms,
  description: endpoint.description,
  headerNames: endpoint.header_names,
  enabled: endpoint.enabled,
  disabledReason: endpoint.disabled_reason,
  version: endpoint.version,
  format: FORMATS[endpoint.format],
  ordered: endpoint.ordered,
  rateLimitPerSecond: endpoint.rate_limit_per_second,
  failingSince: endpoint.failing_since,
  formerSecretUntil: endpoint.former_secret_until,
});
