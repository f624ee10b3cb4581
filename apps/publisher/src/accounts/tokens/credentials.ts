import { PlatformFailure, type OAuthApp } from '@fanfare/connectors';
import { isCanary } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import type { IntegrationDocument } from '../store/integrations.ts';
import { appOf } from '../domain/app-of.ts';
import { openTokens, type StoredTokens } from './tokens.ts';

/**
 * The credentials to call a platform for an account: our app and the account's tokens.
 * @throws PlatformFailure `token_expired` when the person revoked the access; `transient`, `not_sent`, when this process is not configured for the account: the operator must fix it
 */
export function credentialsOf(context: Context, integration: IntegrationDocument): StoredTokens & { readonly app: OAuthApp } {
  if (isCanary(integration.organization_id) !== (context.isForCanary === true))
    throw notSetUp(new Error('Accounts of the canary and of customers are called by different clients.'));
  if (integration.tokens === '') throw accessRemoved();
  const app = appOf(context.config, integration);
  if (!app) throw notSetUp(new Error(`PLATFORM_APPS has no app for this account of ${integration.platform}.`));
  try {
    return { app, ...openTokens(context, integration) };
  } catch (error) {
    throw notSetUp(error);
  }
}

/** The person removed our app, so there are no tokens any more. */
export const accessRemoved = () => new PlatformFailure('token_expired', 'Reconnect this account.', { effect: 'not_sent' });

const notSetUp = (cause: unknown) =>
  new PlatformFailure('transient', 'This platform is temporarily unavailable.', { effect: 'not_sent', cause });
