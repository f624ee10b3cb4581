import type { Integration } from '@fanfare/contracts/publisher';
import { isoTime } from './required.ts';
import type { Urls } from './urls.ts';

export function integrationFromProto(given: Integration, urls: Urls) {
  const status = given.status.replace('INTEGRATION_STATUS_', '').toLowerCase();
  return {
    id: given.id,
    business_id: given.businessId,
    platform: given.platform,
    login: given.login ?? null,
    account_id: given.accountId,
    username: given.username || null,
    display_name: given.displayName,
    page: given.page || null,
    picture_url: given.pictureUrl ?? null,
    status,
    scopes: given.scopes,
    token_expires_at: given.tokenExpiresAt?.toISOString() ?? null,
    reconnect_by: given.reconnectBy?.toISOString() ?? null,
    capabilities: given.capabilities.map(({ name, available, reason, missingScopes }) => ({
      name,
      available,
      reason: reason ?? null,
      missing_scopes: missingScopes,
    })),
    settings: given.settings ?? {},
    last_error: given.lastError ?? null,
    reconnect_url: status === 'connected' ? null : urls.consoleReconnect(given.businessId, given.id),
    created_at: isoTime(given.createdAt),
    updated_at: isoTime(given.updatedAt),
  };
}
