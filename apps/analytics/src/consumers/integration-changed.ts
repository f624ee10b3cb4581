import type { Platform } from '@fanfare/connectors';
import type { IntegrationChanged } from '@fanfare/contracts/publisher/events';
import type { EventHandler } from '@fanfare/events';
import { putAccount } from '../accounts/store/accounts.ts';
import type { Context } from '../context.ts';
import { deleteReads } from '../live/store/reads.ts';
import { positionOf } from '../position.ts';

/** Accounts that are connected together get their first snapshots within an hour, one after the other. */
const FIRST_WITHIN_MS = 3_600_000;

/** Follows the accounts. What was read of one before it changed is forgotten. */
export const integrationChanged =
  ({ config, db }: Context): EventHandler<IntegrationChanged> =>
  async ({ data: { integration }, revision }, session) => {
    if (!integration) return;
    const { id: _id, organizationId, businessId, platform, accountId, status } = integration;
    const state = { _id, organization_id: organizationId, business_id: businessId, platform: platform as Platform, account_id: accountId };
    const firstInMs = positionOf(_id) * FIRST_WITHIN_MS * config.timeScale;
    if (await putAccount(db, { ...state, status, revision }, firstInMs, session)) await deleteReads(db, _id, session);
  };
