import { optionsOver } from '@fanfare/connectors/preflight';
import type { EventHandler } from '@fanfare/events';
import type { IntegrationChanged } from '@fanfare/contracts/publisher/events';
import type { Context } from '../context.ts';
import { putIntegration } from '../targets/store/integrations.ts';

/** Updates the copy of the connected accounts from which claims resolve their targets. */
export const integrationChanged =
  ({ db }: Context): EventHandler<IntegrationChanged> =>
  async ({ data: { integration }, revision }, session) => {
    if (!integration) return;
    const { id, organizationId, businessId, platform, accountId, status, settings = {}, observedOptions = {} } = integration;
    const account = { platform, account_id: accountId, status, settings: optionsOver(observedOptions, settings) };
    await putIntegration(db, { _id: id, organization_id: organizationId, business_id: businessId, ...account, revision }, session);
  };
