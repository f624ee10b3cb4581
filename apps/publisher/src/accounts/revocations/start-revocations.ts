import { PlatformFailure } from '@fanfare/connectors';
import { startWorker, type Worker } from '@fanfare/leased-work';
import type { Context } from '../../context.ts';
import { revocationRows, type RevocationDocument } from '../store/revocations.ts';
import { revokeAccess } from './revoke-access.ts';

const SIZE = 4;
const IDLE_MS = 5_000;
const LEASE_MS = 60_000;
/** Best effort: after about half an hour we give up; the person can still remove our app at the platform. */
const ATTEMPTS = 12;
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 5 * 60_000;

/** Revokes access at the platforms, from rows that outlive the process. */
export function startRevocations(context: Context): Worker {
  const { db, log, config } = context;
  return startWorker<RevocationDocument>({
    name: 'revocations',
    db,
    log,
    rows: revocationRows,
    size: SIZE,
    leaseMs: LEASE_MS,
    idleMs: IDLE_MS,
    idsOf: ({ integration_id, platform }) => ({ integration_id, platform }),
    work: (lease) => revokeAccess(context, lease),
    retry: {
      attempts: ATTEMPTS,
      firstDelayMs: FIRST_DELAY_MS * config.timeScale,
      maxDelayMs: MAX_DELAY_MS * config.timeScale,
      passes: (error) => !(error instanceof PlatformFailure) || error.class === 'transient' || error.class === 'rate_limited',
      leastDelayMs: (error) => (error instanceof PlatformFailure ? (error.retryAfterMs ?? 0) * config.timeScale : undefined),
      async giveUp(lease, error) {
        lease.log.warn({ err: error }, 'access could not be revoked at the platform');
        await revocationRows.end(db, lease.row);
      },
    },
  });
}
