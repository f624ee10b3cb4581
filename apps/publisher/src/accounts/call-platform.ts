import { accountOf, PlatformFailure, type Call as PlatformCall } from '@fanfare/connectors';
import { DomainError, notFound } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { accessEnded } from './tokens/access-ended.ts';
import { credentialsOf } from './tokens/credentials.ts';
import { refreshIntegration } from './tokens/refresh-integration.ts';
import { secretsOf } from './tokens/tokens.ts';
import { findOwnIntegration, type IntegrationDocument } from './store/integrations.ts';

/**
 * Finds an account of the caller's business and checks that it is connected.
 * @throws DomainError resource_not_found, conflict
 */
export async function connectedIntegration({ db }: Context, integrationId: string, { metadata }: Call): Promise<IntegrationDocument> {
  const found = await findOwnIntegration(db, integrationId, metadata);
  if (!found) throw notFound('integration');
  if (found.status === 'INTEGRATION_STATUS_DISCONNECTED') {
    throw new DomainError('conflict', 'This account is disconnected. Reconnect it.');
  }
  return found;
}

/**
 * Calls a platform for an account, and again with a fresh token if the stored one is rejected. Only for calls that may be repeated.
 * @throws PlatformFailure
 * @throws RefreshUnderWay
 */
export async function callPlatform<T>(
  context: Context,
  integration: IntegrationDocument,
  send: (call: PlatformCall) => Promise<T>,
): Promise<T> {
  const { platform, account_id: accountId, username } = integration;
  const callWith = (current: IntegrationDocument) => {
    const { app, ...tokens } = credentialsOf(context, current);
    const http = context.platforms.http(platform, undefined, secretsOf(tokens));
    return send({ http, account: accountOf(platform, app, { accountId, username, accessToken: tokens.accessToken }) });
  };
  try {
    return await callWith(integration);
  } catch (error) {
    if (!(error instanceof PlatformFailure && error.class === 'token_expired')) throw error;
    return callWith(await refreshIntegration(context, integration));
  }
}

/** The error that callers get when a platform rejects a call. */
export function fromPlatform(error: PlatformFailure, saying: string): DomainError {
  if (error.class === 'token_expired') return new DomainError('SOCIAL_TOKEN_EXPIRED', accessEnded(error), { cause: error });
  return new DomainError('UPSTREAM_PROVIDER_ERROR', `${saying}: ${error.message}`, { cause: error });
}
