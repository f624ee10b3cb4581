import { oauthOf, PlatformFailure, type Tokens } from '@fanfare/connectors';
import { now } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { planTokens, remaining } from '../domain/token-plan.ts';
import { emitIntegrationChanged } from '../events/emit-integration-changed.ts';
import { tokenRefreshes } from '../../metrics.ts';
import { findIntegration, isWorking, type IntegrationDocument } from '../store/integrations.ts';
import { insertRevocationOf } from '../store/revocations.ts';
import { lockForRefresh, storeRefreshed, unlockRefresh, type TokenChange } from '../store/token-checks.ts';
import { accessEnded } from './access-ended.ts';
import { accessRemoved, credentialsOf } from './credentials.ts';
import { sameTokens, sealTokens } from './tokens.ts';

const LOCK_MS = 60_000;

/** Another replica is refreshing these tokens: retry in a moment. */
export class RefreshUnderWay extends Error {}

/**
 * Gets fresh tokens and stores them before they are used: a refresh token may work only once. A grant that was revoked for good marks the
 * account as expired; a network failure changes nothing.
 * @throws PlatformFailure `token_expired` when the person must reconnect; `transient`, `not_sent`, when this process is not configured for the account
 * @throws RefreshUnderWay
 */
export async function refreshIntegration(context: Context, known: IntegrationDocument): Promise<IntegrationDocument> {
  const { db } = context;
  const current = await findIntegration(db, known._id);
  if (!current || current.status === 'INTEGRATION_STATUS_DISCONNECTED') throw disconnected();
  if (current.tokens === '') throw accessRemoved();
  // Another process was faster. Comparing revisions would also react to other changes.
  if (isWorking(current) && !sameTokens(context, current, known)) return current;
  const lockedUntil = await lockForRefresh(db, current._id, current.revision, LOCK_MS);
  if (!lockedUntil) throw new RefreshUnderWay();

  const count = (outcome: string) => tokenRefreshes.inc({ platform: current.platform, outcome });
  let change: TokenChange;
  try {
    change = await freshTokens(context, current);
  } catch (error) {
    if (!(error instanceof PlatformFailure) || error.class !== 'token_expired') {
      count(error instanceof PlatformFailure ? error.class : 'failed');
      await unlockRefresh(db, current._id, lockedUntil);
      throw error;
    }
    count('token_expired');
    await store({
      status: 'INTEGRATION_STATUS_EXPIRED',
      last_error: accessEnded(error),
      token_check_at: undefined,
      refresh_failures: undefined,
    });
    throw error;
  }
  count('ok');
  const stored = await store(change);
  if (stored) return stored;
  // Reconnected meanwhile: the tokens of that login are newer.
  const newer = await findIntegration(db, current._id);
  if (newer && isWorking(newer)) return newer;
  await context.transact((session) => insertRevocationOf(db, { ...current, tokens: change.tokens ?? '' }, session));
  throw disconnected();

  async function store(what: TokenChange): Promise<IntegrationDocument | null> {
    return context.transact(async (session) => {
      const next = await storeRefreshed(db, known._id, lockedUntil as Date, what, session, known.organization_id);
      if (next) await emitIntegrationChanged(context, session, next, { flowId: `refresh-${next._id}` });
      return next;
    });
  }
}

/** @throws PlatformFailure */
async function freshTokens(context: Context, current: IntegrationDocument): Promise<TokenChange> {
  const { app, accessToken, refreshToken } = credentialsOf(context, current);
  if (refreshToken === undefined) {
    throw new PlatformFailure(
      'token_expired',
      'The access token has expired, and the platform issued no refresh token. Reconnect the account.',
      { effect: 'not_sent' },
    );
  }
  const http = context.platforms.http(current.platform, undefined, [accessToken, refreshToken]);
  const at = now(current.organization_id);
  const expiresInMs = current.token_expires_at && current.token_expires_at.getTime() - at.getTime();
  const tokens: Tokens = { accessToken, refreshToken, ...(expiresInMs !== undefined && { expiresInMs }), scopes: current.scopes };
  const fresh = await oauthOf(current.platform, current.login).refresh(http, app, { accountId: current.account_id, tokens });
  const isKept = fresh.refreshToken === undefined || fresh.refreshToken === refreshToken;
  const { status, expiresAt, reconnectBy, checkAt } = planTokens(at, { ...(isKept && remaining(current, at)), ...fresh }, true);
  return {
    status,
    // If the response contains no refresh token, the old one stays valid.
    tokens: sealTokens(context, current._id, { refreshToken, ...fresh }),
    scopes: [...(fresh.scopes.length > 0 ? fresh.scopes : current.scopes)],
    refreshable: true,
    token_expires_at: expiresAt,
    reconnect_by: reconnectBy,
    token_check_at: checkAt,
    refresh_failures: undefined,
    last_error: undefined,
  };
}

const disconnected = () => new PlatformFailure('token_expired', 'This account is no longer connected.', { effect: 'not_sent' });
