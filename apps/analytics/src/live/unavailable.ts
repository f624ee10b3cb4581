import type { Platform } from '@fanfare/connectors';
import { platformLabel } from '@fanfare/connectors/platform';
import type { Integration } from '@fanfare/contracts/publisher';

/** Why nothing of an account can be read, in words for people; undefined if it can. */
export function lackOf({ capabilities, platform }: Integration, name: 'account_stats' | 'post_stats'): string | undefined {
  const capability = capabilities.find((one) => one.name === name);
  if (!capability || capability.available) return undefined;
  const label = platformLabel(platform);
  return capability.missingScopes.length > 0
    ? `This account has not allowed Fanfare to read its statistics (${capability.missingScopes.join(', ')}). Reconnect the account to allow it.`
    : `The statistics of this ${label} account are not available to Fanfare.`;
}

export const switchedOff = (platform: Platform): string =>
  `Reading statistics of ${platformLabel(platform)} is switched off, because ${platformLabel(platform)} charges for each read.`;
