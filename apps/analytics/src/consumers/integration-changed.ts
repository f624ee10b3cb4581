import type { Platform } from '@fanfare/connectors';
import type { IntegrationChanged } from '@fanfare/contracts/publisher/events';
import type { EventHandler } from '@fanfare/events';
import { putAccount } from '../accounts/store/accounts.ts';
import type { Context } from '../context.ts';
import { deleteReads } from '../live/store/reads.ts';
import { positionOf } from '../position.ts';

/** Spreads the first snapshots of accounts that are connected at the same time over an hour. */
const FIRST_WITHIN_MS = 3_600_000;

/** Updates the copy of a connected account, and deletes the cached reads from before the change. */
export const integrationChanged =
  ({ config, db }: Context): EventHandler<IntegrationChanged> =>
  async ({ data: { integration }, revision }, session) => {
    if (!integration) return;
    const { id: _id, organizationId, businessId, platform, accountId, status } = integration;
    const state = { _id, organization_id: organizationId, business_id: businessId, platform: platform as Platform, account_id: accountId };
    const firstInMs = positionOf(_id) * FIRST_WITHIN_MS * config.timeScale;
    if (await putAccount(db, { ...state, status, revision }, firstInMs, session)) await deleteReads(db, _id, session);
  };
