import { platformLabel } from '@fanfare/connectors/platform';
import type { Finding, FindingSeverity } from '@fanfare/contracts/content';
import type { IntegrationDocument } from '../targets/integration.ts';
import { NO_ACCOUNT, resolveTargets, type Restriction, type Target } from '../targets/targets.ts';

const WARNING = 'FINDING_SEVERITY_WARNING';

/**
 * Findings about the targets of a post. A platform without accounts is no error, because one may be connected before the post is sent. It is an error if
 * none of the selected accounts can be published to.
 * @param isLeftOut whether a target no longer concerns the post
 * @param at when the post is to be published; undefined: now
 */
export function targetFindings(
  restriction: Restriction,
  integrations: readonly IntegrationDocument[],
  { isLeftOut, at }: { readonly isLeftOut?: (target: Target) => boolean; readonly at?: Date | undefined } = {},
): Finding[] {
  const { targets, missing, isNone } = resolveTargets(restriction, integrations, isLeftOut);
  const endsAt = new Map(integrations.map(({ _id, access_ends_at }) => [_id, access_ends_at]));
  if (isNone) return [finding(WARNING, 'target_not_connected', NO_ACCOUNT)];
  const expired = new Set(integrations.filter(({ status }) => status === 'INTEGRATION_STATUS_EXPIRED').map(({ _id }) => _id));
  const isOpen = targets.some(({ integrationId }) => !expired.has(integrationId));
  const ofAccount = isOpen ? WARNING : 'FINDING_SEVERITY_ERROR';
  return [
    // An account that the business never had has no platform. It is reported as unknown elsewhere.
    ...missing
      .filter(({ platform }) => platform !== '')
      .map((one) => {
        const severity = one.integrationId === '' ? WARNING : ofAccount;
        return finding(severity, 'target_not_connected', one.reason, one.platform, fieldOf(one, restriction));
      }),
    ...targets
      .filter(({ integrationId }) => expired.has(integrationId))
      .map((one) => {
        const detail = `Access to the ${platformLabel(one.platform)} account ${one.integrationId} has ended. Reconnect it, or publishing to it fails.`;
        return finding(ofAccount, 'account_expired', detail, one.platform, fieldOf(one, restriction));
      }),
    ...targets.flatMap((one) => {
      const end = expired.has(one.integrationId) ? undefined : endsAt.get(one.integrationId);
      if (!end || !at || end > at) return [];
      const detail = `Access to the ${platformLabel(one.platform)} account ${one.integrationId} ends at ${end.toISOString()}, before this post is published. Reconnect it.`;
      return [finding(WARNING, 'access_ends', detail, one.platform, fieldOf(one, restriction))];
    }),
  ];
}

function fieldOf({ platform, integrationId }: Target, { platforms, integrationIds }: Restriction): string | undefined {
  if (integrationIds.length > 0) return `restrict_publish_to_integration_ids.${integrationIds.indexOf(integrationId)}`;
  return platforms.length > 0 ? `restrict_publish_to.${platforms.indexOf(platform)}` : undefined;
}

function finding(severity: FindingSeverity, ruleId: string, detail: string, platform?: string, field?: string): Finding {
  return { ruleId, severity, platform, field, detail, limit: undefined, value: undefined, source: undefined, fix: [] };
}
