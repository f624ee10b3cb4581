import { PlatformFailure, type GrantedAccount } from '@fanfare/connectors';
import { DomainError } from '@fanfare/errors';
import { currentTime, newId } from '@fanfare/runtime';
import { appOf } from '../accounts/domain/app-of.ts';
import { connectAccounts } from '../accounts/connections/connect-accounts.ts';
import { exchangeCode } from '../accounts/connections/exchange-code.ts';
import { takeConnection } from '../accounts/store/connections.ts';
import { toIntegration } from '../accounts/store/integrations.ts';
import type { Rpc } from './rpc.ts';

export const completeConnection: Rpc<'completeConnection'> =
  (context) =>
  async ({ state, code }, { metadata, log }) => {
    const { config, db } = context;
    const connection = await takeConnection(db, state, metadata);
    const app = connection && appOf(config, connection);
    if (!connection || !app) {
      throw new DomainError('invalid_request', 'This connection is unknown, finished or expired. Start again.', {
        param: 'state',
      });
    }
    const { platform, login: by } = connection;
    const at = currentTime();
    let accounts: readonly GrantedAccount[];
    try {
      accounts = await exchangeCode(context, app, connection, code);
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error;
      log.warn({ err: error, platform, detail: error.detail }, 'the platform did not grant access');
      throw new DomainError('UPSTREAM_PROVIDER_ERROR', `The platform did not grant access. ${error.message}`, { cause: error });
    }
    const login = { grantId: newId(), platform, ...(by && { login: by }), at, accounts };
    const integrations = await context.transact((session) => connectAccounts(context, metadata, login, session));
    return { integrations: integrations.map((one) => toIntegration(one, config)) };
  };
