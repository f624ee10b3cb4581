import { readGauge, startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { leaseDigest } from '../store/digests.ts';
import { countUntoldNotices } from '../store/notices.ts';
import { writeDigest } from './write-digest.ts';

/** Longer than asking the services for what a digest names takes. */
const LEASE_MS = 2 * 60_000;
const POLL_MS = 1_000;

/** Writes the digests that are due. While a service is away that it asks, they are late. */
export function startDigests(context: Context): Loop {
  const { db, log } = context;
  readGauge('fanfare_notices_waiting', 'Failures that people are not mailed about yet.', () => countUntoldNotices(db));
  return startLoop({
    name: 'write-digests',
    log,
    async run() {
      const digest = await leaseDigest(db, LEASE_MS);
      if (!digest) return POLL_MS;
      await writeDigest(context, digest);
      return 0;
    },
  });
}
