import { currentTime } from '@fanfare/runtime';
import type { Db } from 'mongodb';

// What the processes of a service share about its ledger: one document each.

interface AnchoringDocument {
  _id: 'anchoring';
  /** The lease of the process that writes anchors. */
  leased_until: Date;
  /** The last day that is anchored, for all organizations. */
  through?: string;
}

interface RetentionDocument {
  _id: 'retention';
  /** How long entries are kept. */
  seconds: number;
  /** Entries from before this time may be missing, even if entries are kept longer since. Null in the beginning. */
  expired_before: Date | null;
}

const anchoring = (db: Db) => db.collection<AnchoringDocument>('ledger_state');
const retention = (db: Db) => db.collection<RetentionDocument>('ledger_state');

/** Leases the writing of anchors. Undefined if another process has the lease. */
export async function leaseAnchoring(db: Db, leaseMs: number): Promise<{ readonly through?: string } | undefined> {
  await anchoring(db).updateOne({ _id: 'anchoring' }, { $setOnInsert: { leased_until: new Date(0) } }, { upsert: true });
  const leased_until = { $add: ['$$NOW', leaseMs] };
  const leased = await anchoring(db).findOneAndUpdate({ _id: 'anchoring', $expr: { $lte: ['$leased_until', '$$NOW'] } }, [
    { $set: { leased_until } },
  ]);
  return leased ?? undefined;
}

/** Extends the lease. */
export async function renewAnchoring(db: Db, leaseMs: number): Promise<void> {
  await anchoring(db).updateOne({ _id: 'anchoring' }, [{ $set: { leased_until: { $add: ['$$NOW', leaseMs] } } }]);
}

export async function noteAnchored(db: Db, through: string): Promise<void> {
  await anchoring(db).updateOne({ _id: 'anchoring' }, { $set: { through } });
}

export async function releaseAnchoring(db: Db): Promise<void> {
  await anchoring(db).updateOne({ _id: 'anchoring' }, { $set: { leased_until: new Date(0) } });
}

/** Notes how long entries are kept. What has expired by the former setting stays expired. */
export async function noteRetention(db: Db, seconds: number): Promise<void> {
  const expired_before = { $max: ['$expired_before', { $subtract: ['$$NOW', { $multiply: ['$seconds', 1_000] }] }] };
  await retention(db).updateOne({ _id: 'retention' }, [{ $set: { expired_before } }, { $set: { seconds } }], { upsert: true });
}

/** The clocks of the servers that delete expired entries may differ from ours by this much. */
const TOLERANCE_MS = 3_600_000;

/** Entries from before this time may have expired. */
export async function findExpiredBefore(db: Db): Promise<Date> {
  const found = await retention(db).findOne({ _id: 'retention' });
  if (!found) return new Date(0);
  return new Date(Math.max(found.expired_before?.getTime() ?? 0, currentTime().getTime() - found.seconds * 1_000) + TOLERANCE_MS);
}
