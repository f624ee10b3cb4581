import { startLeasedLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { leaseRevocation, type RevocationDocument } from '../store/revocations.ts';
import { revokeAccess } from './revoke-access.ts';

const SIZE = 4;
const IDLE_MS = 5_000;
/** Longer than a few calls to a platform take. */
const LEASE_MS = 5 * 60_000;

/** Takes access back at the platforms, out of rows that outlive the process. */
export function startRevocations(context: Context): Loop {
  const { db, log, config } = context;
  const idleMs = IDLE_MS * config.timeScale;
  return startLeasedLoop<RevocationDocument>({
    name: 'revocations',
    log,
    size: SIZE,
    idleMs,
    lease: async () => (await leaseRevocation(db, LEASE_MS)) ?? idleMs,
    work: (revocation) =>
      revokeAccess(context, revocation).catch((error: unknown) =>
        log.error({ err: error, integration_id: revocation.integration_id }, 'taking access back was interrupted'),
      ),
  });
}
