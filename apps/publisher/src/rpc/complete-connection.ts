import { connectorFor, PlatformFailure, type GrantedAccount } from '@fanfare/connectors';
import { DomainError } from '@fanfare/errors';
import { connectAccounts } from '../accounts/connect-accounts.ts';
import { takeConnection } from '../store/connections.ts';
import { toIntegration } from '../store/integrations.ts';
import type { Rpc } from './rpc.ts';

export const completeConnection: Rpc<'completeConnection'> =
  (context) =>
  async ({ state, code }, { metadata, log }) => {
    const { config, db, keyring, platforms } = context;
    const connection = await takeConnection(db, state, metadata);
    const app = connection && config.platforms.apps.get(connection.platform);
    if (!connection || !app) {
      throw new DomainError('invalid_request', 'This attempt to connect an account is unknown, finished or too old: begin again.', {
        param: 'state',
      });
    }
    const { platform, redirect_uri: redirectUri, code_verifier: sealed } = connection;
    const codeVerifier = sealed && keyring.open(sealed, `connection:${state}`);
    let accounts: readonly GrantedAccount[];
    try {
      const request = { code, redirectUri, ...(codeVerifier !== undefined && { codeVerifier }) };
      accounts = await connectorFor(platform).oauth.exchangeCode(platforms.http(platform), app, request);
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error;
      log.warn({ err: error, platform, detail: error.detail }, 'the platform did not grant access');
      throw new DomainError('UPSTREAM_PROVIDER_ERROR', `The platform did not grant access: ${error.message}`, { cause: error });
    }
    const integrations = await connectAccounts(context, metadata, platform, accounts);
    return { integrations: integrations.map(toIntegration) };
  };
