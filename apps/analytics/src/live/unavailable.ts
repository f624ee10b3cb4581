import { connectorFor, isForbidden, type Platform } from '@fanfare/connectors';
import { platformLabel } from '@fanfare/connectors/platform';
import type { Integration } from '@fanfare/contracts/publisher';

/** Why an account cannot be read, as text for people; undefined if nothing is known to prevent it. */
function lackOf({ capabilities, platform, accountId }: Integration, name: 'account_stats' | 'post_stats'): string | undefined {
  const lack = connectorFor(platform as Platform).reading?.lack?.({ accountId });
  if (lack !== undefined) return lack;
  const missing = capabilities.find((one) => one.name === name)?.missingScopes ?? [];
  if (missing.length === 0) return undefined;
  return `Fanfare does not have permission to read the statistics of this account (${missing.join(', ')}). Reconnect the account to grant it.`;
}

/**
 * Reads, or returns the reason why reading is impossible: the account lacks a permission, according to its granted scopes or to the platform.
 * @param nothing makes the response with a reason
 */
export async function orUnavailable<T>(
  integration: Integration,
  capability: 'account_stats' | 'post_stats',
  nothing: (reason: string) => T,
  read: () => Promise<T>,
): Promise<T> {
  const lack = lackOf(integration, capability);
  if (lack !== undefined) return nothing(lack);
  try {
    return await read();
  } catch (error) {
    if (isForbidden(error))
      return nothing(`${platformLabel(integration.platform)} does not allow reading the statistics of this account: ${error.message}`);
    throw error;
  }
}

export const switchedOff = (platform: Platform): string =>
  connectorFor(platform).reading?.rules.chargesForReads
    ? `Reading statistics of ${platformLabel(platform)} is turned off on this server, because ${platformLabel(platform)} charges for each read.`
    : `Reading statistics of ${platformLabel(platform)} is turned off on this server.`;
