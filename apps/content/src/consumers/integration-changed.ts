import { optionsOver } from '@fanfare/connectors/preflight';
import type { EventHandler } from '@fanfare/events';
import type { IntegrationChanged } from '@fanfare/contracts/publisher/events';
import type { Context } from '../context.ts';
import { riskCheckRows } from '../fan-out/store/risk-checks.ts';
import { putIntegration } from '../targets/store/integrations.ts';

/** Updates the copy of the connected accounts from which claims resolve their targets, and lets waiting posts be checked again. */
export const integrationChanged =
  ({ db }: Context): EventHandler<IntegrationChanged> =>
  async ({ data: { integration }, revision }, session) => {
    if (!integration) return;
    const { id, organizationId, businessId, platform, accountId, status, settings = {}, observedOptions = {}, accessEndsAt } = integration;
    const account = {
      ...{ platform, account_id: accountId, status, settings: optionsOver(observedOptions, settings) },
      ...(accessEndsAt && { access_ends_at: accessEndsAt }),
    };
    const row = { _id: id, organization_id: organizationId, business_id: businessId, revision };
    if (await putIntegration(db, { ...row, ...account }, session)) await riskCheckRows.put(db, row, session);
  };
