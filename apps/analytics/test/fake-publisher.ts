import { createHash } from 'node:crypto';
import type { Account, Platform } from '@fanfare/connectors';
import { Integration, PublisherServiceService } from '@fanfare/contracts/publisher';
import { DomainError, notFound } from '@fanfare/errors';
import { startRpcServer } from '@fanfare/rpc';
import { createHealth, createLogger, newId } from '@fanfare/runtime';
import { unusedMethods } from '@fanfare/testing';

export interface Owner {
  readonly organizationId: string;
  readonly businessId: string;
}

/** A fake publisher behind real gRPC. It lends access tokens that the sandbox granted. */
export async function startFakePublisher() {
  const lent = new Map<string, { integration: Integration; account: Account }>();
  const errors: DomainError[] = [];
  const stale = new Map<string, string>();
  const requests: {
    integrationId: string;
    isBackground: boolean;
    rejectedTokenSha256: string;
    mostCalls: number;
    wasRefreshed: boolean;
  }[] = [];
  const find = (id: string, { organizationId, businessId }: Owner) => {
    const found = lent.get(id);
    if (found?.integration.organizationId !== organizationId || found.integration.businessId !== businessId) throw notFound('integration');
    return found;
  };
  const server = await startRpcServer({
    address: '127.0.0.1:0',
    definition: PublisherServiceService,
    handlers: {
      ...unusedMethods(PublisherServiceService),
      getIntegration: async ({ integrationId }, { metadata }) => ({ integration: find(integrationId, metadata).integration }),
      async lendAccess(request, { metadata }) {
        requests.push(request);
        const { integration, account } = find(request.integrationId, metadata);
        const error = errors.shift();
        if (error) throw error;
        const { accessToken, tokenProof } = account;
        // There is a fresh token for a rejected one, unless the rejected token is the fresh one.
        if (request.wasRefreshed) throw new DomainError('SOCIAL_TOKEN_EXPIRED', 'Reconnect this account.');
        const isFresh = request.rejectedTokenSha256 !== createHash('sha256').update(accessToken).digest('hex');
        const isFirst = request.rejectedTokenSha256 === '';
        if (isFresh) return { integration, accessToken: (isFirst && stale.get(integration.id)) || accessToken, tokenProof };
        throw new DomainError('SOCIAL_TOKEN_EXPIRED', 'Reconnect this account.');
      },
    },
    health: createHealth(),
    log: createLogger('publisher', 'silent'),
  });
  return {
    address: `127.0.0.1:${server.port}`,
    requests,
    /** Adds an account whose token it lends. */
    add(platform: Platform, account: Account, { organizationId, businessId }: Owner, more: Partial<Integration> = {}): Integration {
      const integration = Integration.fromPartial({
        id: newId(),
        organizationId,
        businessId,
        platform,
        accountId: account.accountId,
        username: account.username,
        status: 'INTEGRATION_STATUS_CONNECTED',
        revision: 1,
        ...more,
      });
      lent.set(integration.id, { integration, account });
      return integration;
    },
    /** Lends this token first, and the valid one after it was rejected. */
    lendFirst: (id: string, accessToken: string) => void stale.set(id, accessToken),
    /** Has no other token than this one. */
    lose(id: string, accessToken: string) {
      const known = lent.get(id);
      if (known) lent.set(id, { ...known, account: { ...known.account, accessToken } });
    },
    /** Rejects the next request to lend a token with an error. */
    failNext: (error: DomainError) => errors.push(error),
    stop: () => server.stop(),
  };
}
