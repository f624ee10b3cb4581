import type { PlatformFailure } from '@fanfare/connectors';
import { DomainError, notFound } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { accessEnded } from './tokens/access-ended.ts';
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

/** The error that callers get when a platform rejects a call. */
export function fromPlatform(error: PlatformFailure, saying: string): DomainError {
  if (error.class === 'token_expired') return new DomainError('SOCIAL_TOKEN_EXPIRED', accessEnded(error), { cause: error });
  return new DomainError('UPSTREAM_PROVIDER_ERROR', `${saying}: ${error.message}`, { cause: error });
}
