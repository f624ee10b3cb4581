import type { Platform } from '@fanfare/connectors';
import { notFound } from '@fanfare/errors';
import type { CallOptions } from '@fanfare/rpc';
import { LRUCache } from 'lru-cache';
import { findAccount } from '../accounts/store/accounts.ts';
import type { Context } from '../context.ts';

/** The fields of an account that never change. */
export interface AccountRef {
  readonly id: string;
  readonly organizationId: string;
  readonly businessId: string;
  readonly platform: Platform;
  readonly accountId: string;
}

const MOST = 10_000;

export type AccountFinder = (id: string, call: CallOptions['call']) => Promise<AccountRef>;

/**
 * Finds an account of the caller's business. Calls the publisher if the account is not stored here: the event of a new account may not have arrived yet.
 * @throws DomainError resource_not_found
 */
export function createAccountFinder({ db, publisher }: Context): AccountFinder {
  const known = new LRUCache<string, AccountRef>({ max: MOST });
  return async (id, call) => {
    const { organizationId, businessId } = call.metadata;
    const account = known.get(id) ?? (await read());
    if (account.organizationId !== organizationId || account.businessId !== businessId) throw notFound('integration');
    return account;

    async function read(): Promise<AccountRef> {
      const found = await findAccount(db, id);
      const account = found
        ? {
            id,
            organizationId: found.organization_id,
            businessId: found.business_id,
            platform: found.platform,
            accountId: found.account_id,
          }
        : await fromPublisher();
      known.set(id, account);
      return account;
    }

    async function fromPublisher(): Promise<AccountRef> {
      const { integration } = await publisher.getIntegration({ integrationId: id }, { call });
      if (!integration) throw notFound('integration');
      const { organizationId, businessId, platform, accountId } = integration;
      return { id, organizationId, businessId, platform: platform as Platform, accountId };
    }
  };
}
