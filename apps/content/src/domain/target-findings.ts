import type { Finding } from '@fanfare/contracts/content';
import type { IntegrationDocument } from '../store/integrations.ts';
import { NO_ACCOUNT, resolveTargets, type Restriction } from './targets.ts';

/** What is wrong with where a post goes. Accounts may be connected, or connected again, until it is sent: it does not make the post itself wrong. */
export function targetFindings(restriction: Restriction, integrations: readonly IntegrationDocument[]): Finding[] {
  const { targets, missing } = resolveTargets(restriction, integrations);
  if (targets.length === 0 && missing.length === 0) return [finding('target_not_connected', NO_ACCOUNT)];
  const fieldOf = (platform: string, integrationId: string): string | undefined => {
    const { platforms, integrationIds } = restriction;
    if (integrationIds.length > 0) return `restrict_publish_to_integration_ids.${integrationIds.indexOf(integrationId)}`;
    return platforms.length > 0 ? `restrict_publish_to.${platforms.indexOf(platform)}` : undefined;
  };
  const expired = new Set(integrations.filter(({ status }) => status === 'INTEGRATION_STATUS_EXPIRED').map(({ _id }) => _id));
  return [
    // An account that the business never had has no platform, and is told as unknown.
    ...missing
      .filter(({ platform }) => platform !== '')
      .map(({ integrationId, platform, reason }) => finding('target_not_connected', reason, platform, fieldOf(platform, integrationId))),
    ...targets
      .filter(({ integrationId }) => expired.has(integrationId))
      .map(({ integrationId, platform }) =>
        finding(
          'account_expired',
          `The access to the ${platform} account ${integrationId} has ended: connect it again, or publishing to it will fail.`,
          platform,
          fieldOf(platform, integrationId),
        ),
      ),
  ];
}

function finding(ruleId: string, detail: string, platform?: string, field?: string): Finding {
  return {
    ruleId,
    severity: 'FINDING_SEVERITY_WARNING',
    platform,
    field,
    detail,
    limit: undefined,
    value: undefined,
    source: undefined,
    fix: [],
  };
}
