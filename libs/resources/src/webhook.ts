import type { Endpoint } from '@fanfare/contracts/webhooks';
import { isoTime } from './required.ts';

export const webhookFromProto = (given: Endpoint) => ({
  id: given.id,
  organization_id: given.organizationId,
  url: given.url,
  events: given.events,
  business_ids: given.businessIds,
  platforms: given.platforms,
  description: given.description,
  headers: given.headerNames,
  enabled: given.enabled,
  disabled_reason: given.disabledReason ?? null,
  version: given.version,
  format: given.format.replace('FORMAT_', '').toLowerCase(),
  ordered: given.ordered,
  rate_limit_per_second: given.rateLimitPerSecond ?? null,
  failing_since: given.failingSince?.toISOString() ?? null,
  former_secret_until: given.formerSecretUntil?.toISOString() ?? null,
  created_at: isoTime(given.createdAt),
  updated_at: isoTime(given.updatedAt),
});
