import { connectorFor, PlatformFailure } from '@fanfare/connectors';
import type { Context } from '../context.ts';
import { emitIntegrationChanged } from '../events.ts';
import { findIntegration, lockForRefresh, putIntegration, unlockRefresh, type IntegrationDocument } from '../store/integrations.ts';
import { credentialsOf } from './credentials.ts';
import { sealTokens } from './tokens.ts';

const LOCK_MS = 60_000;

/** Another replica refreshes these tokens now: try again in a moment. */
export class RefreshUnderWay extends Error {}

/**
 * Gets fresh tokens and stores them before anyone uses them: a refresh token may work only once. A grant that is gone for good marks the
 * account as expired; a network failure changes nothing.
 * @throws PlatformFailure `token_expired` when the person has to connect again; `transient`, `not_sent`, when this process is not set up for it
 * @throws RefreshUnderWay
 */
export async function refreshIntegration(context: Context, known: IntegrationDocument): Promise<IntegrationDocument> {
  const { db } = context;
  const current = await findIntegration(db, known._id);
  if (!current) throw new PlatformFailure('token_expired', 'This account is no longer connected.', { effect: 'not_sent' });
  if (current.revision !== known.revision && current.status === 'INTEGRATION_STATUS_CONNECTED') return current; // Somebody was faster.
  const lockedUntil = await lockForRefresh(db, current._id, current.revision, LOCK_MS);
  if (!lockedUntil) throw new RefreshUnderWay();

  try {
    const { app, accessToken, refreshToken } = credentialsOf(context, current);
    const tokens = { accessToken, scopes: current.scopes, ...(refreshToken !== undefined && { refreshToken }) };
    const http = context.platforms.http(current.platform);
    const fresh = await connectorFor(current.platform).oauth.refresh(http, app, { accountId: current.account_id, tokens });
    const { last_error: _, token_expires_at: __, ...rest } = current;
    return await store({
      ...rest,
      // A refresh token that the answer leaves out stays valid.
      tokens: sealTokens(context, current._id, { ...(refreshToken !== undefined && { refreshToken }), ...fresh }),
      scopes: [...(fresh.scopes.length > 0 ? fresh.scopes : current.scopes)],
      status: 'INTEGRATION_STATUS_CONNECTED',
      ...(fresh.expiresInMs !== undefined && { token_expires_at: new Date(Date.now() + fresh.expiresInMs) }),
    });
  } catch (error) {
    if (error instanceof PlatformFailure && error.class === 'token_expired') {
      await store({ ...current, status: 'INTEGRATION_STATUS_EXPIRED', last_error: error.message });
    } else {
      await unlockRefresh(db, current._id, lockedUntil);
    }
    throw error;
  }

  async function store(document: IntegrationDocument): Promise<IntegrationDocument> {
    const { refreshing_until: _, ...rest } = document;
    const next = { ...rest, revision: document.revision + 1, updated_at: new Date() };
    await context.transact(async (session) => {
      await putIntegration(db, next, session);
      await emitIntegrationChanged(db, session, next, `refresh-${document._id}`);
    });
    return next;
  }
}
