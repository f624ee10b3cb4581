import { oauthOf, PlatformFailure } from '@fanfare/connectors';
import type { Context } from '../../context.ts';
import { pauseMs } from '../../deliveries/domain/decide.ts';
import { isAccessShared } from '../store/integrations.ts';
import { endRevocation, postponeRevocation, type RevocationDocument } from '../store/revocations.ts';
import { appOf } from '../domain/app-of.ts';
import { openTokens, secretsOf } from '../tokens/tokens.ts';

/** Best effort: after about half an hour the platform keeps what it will not take back, and the person can still remove us there. */
const MAX_FAILURES = 12;

/** Takes our access back at the platform, unless another account lives by it. */
export async function revokeAccess(context: Context, revocation: RevocationDocument): Promise<void> {
  const { db, config, platforms } = context;
  const {
    platform,
    login,
    account_id: accountId,
    integration_id: integrationId,
    grant_id: grantId,
    platform_user_id: userId,
    scopes,
  } = revocation;
  const log = context.log.child({ integration_id: integrationId, platform });
  const app = appOf(config, revocation);
  const { revoke, revokes } = oauthOf(platform, login);
  if (!revoke || (await isAccessShared(db, { integrationId, platform, accountId, grantId, userId, revokes })))
    return endRevocation(db, revocation);
  try {
    if (!app) throw new PlatformFailure('transient', 'PLATFORM_APPS has no app for it.', { effect: 'not_sent' });
    const tokens = { ...openTokens(context, { _id: integrationId, tokens: revocation.tokens }), scopes };
    await revoke(platforms.http(platform, undefined, secretsOf(tokens)), app, { accountId, tokens });
    log.info('access was taken back at the platform');
    await endRevocation(db, revocation);
  } catch (error) {
    const passes = error instanceof PlatformFailure && (error.class === 'transient' || error.class === 'rate_limited');
    log.warn({ err: error, failures: revocation.failures }, 'access could not be taken back at the platform');
    if (!passes || revocation.failures + 1 >= MAX_FAILURES) return endRevocation(db, revocation);
    const inMs = pauseMs({ failures: revocation.failures, jitter: Math.random() }, error.retryAfterMs);
    await postponeRevocation(db, revocation, inMs * config.timeScale);
  }
}
