import { LeaseLost, startWorker, type Worker } from '@fanfare/leased-work';
import { readGauge } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { digestRows, type DigestDocument } from '../store/digests.ts';
import { countUnmailedNotices } from '../store/notices.ts';
import { writeDigest } from './write-digest.ts';

const LEASE_MS = 30_000;
const IDLE_MS = 5_000;
const RETRY_MS = 5_000;

/** Writes the digests that are due, one at a time. If a service that it calls is unavailable, they are late. */
export function startDigests(context: Context): Worker {
  const { db, log } = context;
  readGauge('fanfare_notices_waiting', 'Failures for which no email has been queued yet.', () => countUnmailedNotices(db));
  return startWorker<DigestDocument>({
    name: 'write-digests',
    db,
    log,
    rows: digestRows,
    size: 1,
    leaseMs: LEASE_MS,
    idleMs: IDLE_MS,
    idsOf: ({ _id }) => ({ organization_id: _id }),
    async work({ row, log: ofRow }) {
      try {
        await writeDigest(context, row);
      } catch (error) {
        if (error instanceof LeaseLost) throw error;
        ofRow.error({ err: error, retry_in_ms: RETRY_MS }, 'the digest could not be written yet');
        await digestRows.postpone(db, row, RETRY_MS);
      }
    },
  });
}
