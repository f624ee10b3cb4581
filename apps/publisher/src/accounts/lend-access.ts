import { createHash } from 'node:crypto';
import { accountOf, PlatformFailure } from '@fanfare/connectors';
import type { LendAccessRequest } from '@fanfare/contracts/publisher';
import { DomainError } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import { reserveRead, type ReadAccount } from '../quotas/reserve-read.ts';
import { connectedIntegration, fromPlatform } from './call-platform.ts';
import type { IntegrationDocument } from './store/integrations.ts';
import { markExpired } from './tokens/check-tokens.ts';
import { credentialsOf } from './tokens/credentials.ts';
import { refreshWhenFree } from './tokens/refresh-when-free.ts';

const MOST_ACCOUNTS = 10_000;
const REJECTED = 'The access to this account has ended: the platform rejects even a fresh access token. Reconnect the account.';

/** What another service needs to read an account from its platform. */
export interface LentAccess {
  readonly integration: IntegrationDocument;
  readonly accessToken: string;
  readonly tokenProof: string | undefined;
}

/**
 * Lends the access token of an account for one read, refreshed if it has expired or was rejected, and reserves the calls of the read.
 * @throws DomainError resource_not_found, conflict, SOCIAL_TOKEN_EXPIRED, UPSTREAM_PROVIDER_ERROR
 */
export type LendAccess = (request: LendAccessRequest, call: Call) => Promise<LentAccess>;

export function createAccessLender(context: Context): LendAccess {
  const accounts = new LRUCache<string, ReadAccount>({ max: MOST_ACCOUNTS });

  return async ({ integrationId, isBackground, rejectedTokenSha256, mostCalls, wasRefreshed }, call) => {
    // The second loan of a read, after its token was rejected, is part of the first.
    const isFirst = rejectedTokenSha256 === '';
    const account = accounts.get(integrationId);
    const isOwn = account?.organization_id === call.metadata.organizationId && account.business_id === call.metadata.businessId;
    // The caller waits, so the read of an account that was lent before is reserved at the same time. If the account no longer exists, the reservation is wasted.
    const early = isFirst && isOwn ? reserveRead(context, account, { isBackground, mostCalls }) : undefined;
    early?.catch(() => undefined);

    const found = await connectedIntegration(context, integrationId, call);
    if (found.status === 'INTEGRATION_STATUS_EXPIRED') {
      throw new DomainError('SOCIAL_TOKEN_EXPIRED', found.last_error ?? 'The access to this account has expired. Reconnect the account.');
    }
    if (wasRefreshed && needsRefresh(context, found, rejectedTokenSha256)) {
      await markExpired(context, found, REJECTED);
      throw new DomainError('SOCIAL_TOKEN_EXPIRED', REJECTED);
    }
    try {
      const integration = needsRefresh(context, found, rejectedTokenSha256) ? await refreshWhenFree(context, found) : found;
      if (isFirst) await (early ?? reserveRead(context, integration, { isBackground, mostCalls }));
      const { platform, account_id, organization_id, business_id } = integration;
      accounts.set(integrationId, { platform, account_id, organization_id, business_id });
      const { app, accessToken } = credentialsOf(context, integration);
      const { tokenProof } = accountOf(integration.platform, app, { accountId: integration.account_id, username: '', accessToken });
      return { integration, accessToken, tokenProof };
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error;
      call.log.warn({ err: error, integration_id: integrationId, detail: error.detail }, 'access cannot be lent');
      throw fromPlatform(error, 'The access token could not be refreshed');
    }
  };
}

function needsRefresh(context: Context, integration: IntegrationDocument, rejected: string): boolean {
  if (rejected === '') return (integration.token_expires_at ?? Infinity) <= now(integration.organization_id);
  // Another process may have refreshed it since.
  return createHash('sha256').update(credentialsOf(context, integration).accessToken).digest('hex') === rejected;
}
