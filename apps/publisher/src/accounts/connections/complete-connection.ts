import { PlatformFailure, type GrantedAccount } from '@fanfare/connectors';
import type { CompleteConnectionRequest } from '@fanfare/contracts/publisher';
import { DomainError } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import { currentTime, newId } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { appOf } from '../domain/app-of.ts';
import { takeConnection } from '../store/connections.ts';
import type { IntegrationDocument } from '../store/integrations.ts';
import { connectAccounts } from './connect-accounts.ts';
import { exchangeCode } from './exchange-code.ts';

/**
 * Completes a login that has no attempt: connects all of its accounts.
 * @throws DomainError invalid_request if the state is unknown, used or expired; UPSTREAM_PROVIDER_ERROR if the platform grants no access
 */
export async function completeConnection(
  context: Context,
  { state, code }: CompleteConnectionRequest,
  { metadata, log }: Call,
): Promise<IntegrationDocument[]> {
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
  return context.transact((session) => connectAccounts(context, metadata, login, session));
}
