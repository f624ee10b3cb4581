import type { Connection } from '@fanfare/contracts/publisher';
import type { Context } from '../../context.ts';
import { isOver, type ConnectionAttemptDocument } from '../store/connection-attempts.ts';
import { findConnectedAccounts, findIntegrationsByIds, toIntegration } from '../store/integrations.ts';
import { openOffer } from './offer.ts';

/** An attempt as the API returns it, without tokens. */
export async function toConnection(context: Context, attempt: ConnectionAttemptDocument): Promise<Connection> {
  const { db } = context;
  const isOpen = attempt.status === 'CONNECTION_STATUS_PENDING' || attempt.status === 'CONNECTION_STATUS_CHOOSING';
  const failure = isOpen && (await isOver(db, attempt._id)) ? EXPIRED : attempt;
  const integrations = await findIntegrationsByIds(db, attempt.integration_ids);
  return {
    id: attempt._id,
    organizationId: attempt.organization_id,
    businessId: attempt.business_id,
    platform: attempt.platform,
    status: failure.status,
    accounts: failure.status === 'CONNECTION_STATUS_CHOOSING' ? await accountsOf(context, attempt) : [],
    integrations: integrations.map((one) => toIntegration(one, context.config)),
    error: failure.error,
    errorMessage: failure.error_message,
    returnUrl: attempt.return_url,
    expiresAt: attempt.expires_at,
    createdAt: attempt.created_at,
  };
}

const EXPIRED = {
  status: 'CONNECTION_STATUS_FAILED',
  error: 'expired',
  error_message: 'The connection expired before it was finished. Start again.',
} as const;

async function accountsOf(context: Context, attempt: ConnectionAttemptDocument): Promise<Connection['accounts']> {
  const offered = openOffer(context, attempt);
  const ids = offered.map(({ accountId }) => accountId);
  const connected = await findConnectedAccounts(context.db, attempt.business_id, attempt.platform, ids);
  return offered.map(({ accountId, username, displayName, page, pictureUrl }) => ({
    accountId,
    username,
    displayName,
    page,
    pictureUrl,
    integrationId: connected.get(accountId)?._id ?? '',
  }));
}
