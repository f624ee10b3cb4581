import { LeaseLost, startWorker, type Worker } from '@fanfare/leased-work';
import { contextFor } from '../../canary/context-for.ts';
import type { Context } from '../../context.ts';
import type { IntegrationDocument } from '../store/integrations.ts';
import { postponeTokenCheck, tokenCheckRows } from '../store/token-checks.ts';
import { checkTokens } from './check-tokens.ts';

/** Number of accounts that are checked at the same time. */
const SIZE = 4;
const IDLE_MS = 5_000;
const LEASE_MS = 60_000;
/** After an internal error. */
const DELAY_MS = 60_000;

/** Refreshes tokens before they expire, or reports that the account must be reconnected. */
export function startTokenChecks(context: Context): Worker {
  const { db, log, config } = context;
  return startWorker<IntegrationDocument>({
    name: 'tokens',
    db,
    log,
    rows: tokenCheckRows,
    size: SIZE,
    leaseMs: LEASE_MS,
    idleMs: IDLE_MS,
    idsOf: ({ _id, platform }) => ({ integration_id: _id, platform }),
    async work(lease) {
      try {
        await checkTokens(contextFor(context, lease.row.organization_id), lease);
      } catch (error) {
        if (error instanceof LeaseLost) throw error;
        lease.log.error({ err: error }, "the check of an account's tokens failed");
        await postponeTokenCheck(db, lease.row, DELAY_MS * config.timeScale, (lease.row.refresh_failures ?? 0) + 1);
      }
    },
  });
}
