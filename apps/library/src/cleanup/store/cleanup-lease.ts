import { leasedRows, type LeasedRow } from '@fanfare/leased-work';
import type { Db } from 'mongodb';

/** The lease of the clean-up, which runs on one replica at a time. */
export interface CleanupDocument extends LeasedRow {
  until: Date;
  /** Written by replicas of the previous version, which may lease the row too. */
  holder?: string;
}

const CLEANUP = 'cleanup';
const leases = (db: Db) => db.collection<CleanupDocument>('leases');

export const cleanupRows = leasedRows<CleanupDocument>({ of: leases, due: 'until' });

export async function addCleanupRow(db: Db): Promise<void> {
  await leases(db).updateOne({ _id: CLEANUP }, { $setOnInsert: { until: new Date(0) } }, { upsert: true });
}

/** Returns null if another replica has the lease. */
export const leaseCleanup = (db: Db, leaseMs: number): Promise<CleanupDocument | null> =>
  cleanupRows.leaseDue(db, leaseMs, { _id: CLEANUP });
