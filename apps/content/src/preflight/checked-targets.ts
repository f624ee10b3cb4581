import type { IntegrationDocument } from '../targets/integration.ts';
import { resolveTargets, type Restriction, type Target } from '../targets/targets.ts';
import type { CheckedAccount } from './account-variants.ts';

/**
 * The targets that a post is checked for: its platforms, with or without connected accounts, and the accounts that it would go to now.
 * @param isLeftOut whether a target no longer concerns the post
 */
export function checkedTargets(
  restriction: Restriction,
  integrations: readonly IntegrationDocument[],
  isLeftOut?: (target: Target) => boolean,
): { platforms: string[]; accounts: CheckedAccount[] } {
  const { targets, missing } = resolveTargets(restriction, integrations, isLeftOut);
  const byId = new Map(integrations.map((integration) => [integration._id, integration]));
  return {
    platforms: [...targets, ...missing].map(({ platform }) => platform),
    accounts: targets.map(({ platform, integrationId }) => {
      const { account_id: accountId, settings } = byId.get(integrationId) ?? {};
      return { platform, integrationId, accountId, settings };
    }),
  };
}
