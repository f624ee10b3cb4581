import type { PlatformFailure } from '@fanfare/connectors';
import { DomainError, notFound } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { findOwnIntegration, type IntegrationDocument } from './store/integrations.ts';

/**
 * An account of the caller's that is connected, to ask its platform about.
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

/** What callers hear of a platform's no. */
export function fromPlatform(error: PlatformFailure, saying: string): DomainError {
  if (error.class === 'token_expired') return new DomainError('SOCIAL_TOKEN_EXPIRED', error.message, { cause: error });
  return new DomainError('UPSTREAM_PROVIDER_ERROR', `${saying}: ${error.message}`, { cause: error });
}
