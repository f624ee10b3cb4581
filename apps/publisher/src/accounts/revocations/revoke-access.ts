import { oauthOf, PlatformFailure } from '@fanfare/connectors';
import type { Lease } from '@fanfare/leased-work';
import type { Context } from '../../context.ts';
import { isAccessShared } from '../store/integrations.ts';
import { revocationRows, type RevocationDocument } from '../store/revocations.ts';
import { appOf } from '../domain/app-of.ts';
import { openTokens, secretsOf } from '../tokens/tokens.ts';

/**
 * Revokes our access at the platform, unless another account uses it.
 * @throws PlatformFailure
 */
export async function revokeAccess(context: Context, lease: Lease<RevocationDocument>): Promise<void> {
  const { db, config, platforms } = context;
  const revocation = lease.row;
  const {
    platform,
    login,
    account_id: accountId,
    integration_id: integrationId,
    grant_id: grantId,
    platform_user_id: userId,
    scopes,
  } = revocation;
  const app = appOf(config, revocation);
  const { revoke, revokes } = oauthOf(platform, login);
  if (!revoke || (await isAccessShared(db, { integrationId, platform, accountId, grantId, userId, revokes })))
    return revocationRows.end(db, revocation);
  if (!app) throw new PlatformFailure('transient', 'PLATFORM_APPS has no app for this account.', { effect: 'not_sent' });
  const tokens = { ...openTokens(context, { _id: integrationId, tokens: revocation.tokens }), scopes };
  await revoke(platforms.http(platform, undefined, secretsOf(tokens)), app, { accountId, userId, tokens });
  lease.log.info('access revoked at the platform');
  await revocationRows.end(db, revocation);
}
