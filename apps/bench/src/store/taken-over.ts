import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import type { BenchPlatform } from '../platform.ts';

const LIMIT_MS = 60_000;
const POLL_MS = 50;

interface LeasedRow {
  readonly _id: string;
  readonly open?: true;
  readonly fence: number;
  readonly run_at: Date;
}

/** Seconds until nine in ten of the deliveries that are leased now, and until all of them, have ended or have another lease. */
export async function takenOver({ mongoUrl, namespace }: BenchPlatform): Promise<{ most: number; all: number }> {
  const begun = performance.now();
  const client = await new MongoClient(mongoUrl).connect();
  try {
    const rows = client.db(`${namespace}_publisher`).collection<LeasedRow>('deliveries');
    const leased = await rows.find({ open: true, fence: { $gte: 1 }, run_at: { $gt: new Date() } }).toArray();
    let most: number | undefined;
    for (;;) {
      const same = leased.map(({ _id, fence }) => ({ _id, fence, open: true as const }));
      const left = same.length === 0 ? 0 : await rows.countDocuments({ $or: same });
      const seconds = (performance.now() - begun) / 1000;
      if (left <= leased.length / 10) most ??= seconds;
      if (left === 0) return { most: most ?? seconds, all: seconds };
      if (seconds * 1000 > LIMIT_MS) throw new Error(`${left} deliveries are not taken over after ${LIMIT_MS / 1000} s.`);
      await wait(POLL_MS);
    }
  } finally {
    await client.close();
  }
}
