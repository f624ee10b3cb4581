import { connectors, oauthOf, type Capability as Name, type LoginName, type Platform } from '@fanfare/connectors';
import type { Capability, IntegrationStatus } from '@fanfare/contracts/publisher';

const NAMES: readonly Name[] = ['publish', 'first_comment', 'account_stats', 'post_stats', 'drafts'];

/** What an account can do by the scopes that were granted, and why it cannot do the rest. */
export function capabilitiesOf(account: {
  readonly platform: Platform;
  readonly login?: LoginName;
  readonly account_id: string;
  readonly scopes: readonly string[];
  readonly status: IntegrationStatus;
}): Capability[] {
  const oauth = Object.hasOwn(connectors, account.platform) ? oauthOf(account.platform, account.login) : undefined;
  const needsOfAll = oauth?.needsOf?.(account.account_id) ?? oauth?.needs;
  return NAMES.map((name) => {
    const needs = needsOfAll?.[name];
    if (!needs) return lacking(name, 'not_supported');
    const missing = needs.filter((scope) => !account.scopes.includes(scope));
    // What nobody is asked for, no reconnect brings.
    if (missing.some((scope) => !oauth?.scopes.includes(scope))) return lacking(name, 'not_supported');
    if (missing.length > 0) return lacking(name, 'missing_scope', missing);
    if (account.status === 'INTEGRATION_STATUS_EXPIRED') return lacking(name, 'token_expired');
    if (account.status === 'INTEGRATION_STATUS_DISCONNECTED') return lacking(name, 'disconnected');
    return { name, available: true, missingScopes: [] };
  });
}

const lacking = (name: Name, reason: string, missingScopes: string[] = []): Capability => ({
  name,
  available: false,
  reason,
  missingScopes,
});
