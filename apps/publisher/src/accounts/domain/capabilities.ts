import { connectors, isEnabled, oauthOf, type Capability as Name, type LoginName, type Platform } from '@fanfare/connectors';
import type { Capability, IntegrationStatus } from '@fanfare/contracts/publisher';
import type { Config } from '../../config.ts';
import { requestedScopes } from './app-of.ts';

const NAMES: readonly Name[] = ['publish', 'first_comment', 'account_stats', 'post_stats', 'drafts', 'unpublish'];

/** What an account can do with its granted scopes, and why it cannot do the rest. */
export function capabilitiesOf(account: AccountGranted, config: Pick<Config, 'platforms'>): Capability[] {
  const { platform, login, account_id, scopes, status } = account;
  const oauth = Object.hasOwn(connectors, platform) ? oauthOf(platform, login) : undefined;
  const features = oauth?.featuresOf?.(account_id) ?? oauth?.features ?? {};
  const requested = oauth ? requestedScopes(config, { platform, ...(login && { login }) }) : [];
  return NAMES.map((name) => {
    const needs = isEnabled(name) ? features[name] : undefined;
    if (!needs) return lacking(name, 'not_supported');
    const missing = needs.filter((scope) => !scopes.includes(scope));
    // Reconnecting does not help if the scope is not requested.
    if (missing.some((scope) => !requested.includes(scope))) return lacking(name, 'not_supported');
    if (missing.length > 0) return lacking(name, 'missing_scope', missing);
    if (status === 'INTEGRATION_STATUS_EXPIRED') return lacking(name, 'token_expired');
    if (status === 'INTEGRATION_STATUS_DISCONNECTED') return lacking(name, 'disconnected');
    return { name, available: true, missingScopes: [] };
  });
}

interface AccountGranted {
  readonly platform: Platform;
  readonly login?: LoginName;
  readonly account_id: string;
  readonly scopes: readonly string[];
  readonly status: IntegrationStatus;
}

const lacking = (name: Name, reason: string, missingScopes: string[] = []): Capability => ({
  name,
  available: false,
  reason,
  missingScopes,
});
