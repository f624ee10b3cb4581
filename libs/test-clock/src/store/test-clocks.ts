import type { EraseRequest } from '@fanfare/contracts/erasure';
import { currentTime } from '@fanfare/runtime';
import type { Db } from 'mongodb';

/** The test clock of an organization, as a service knows it. The gateway has more in its collection of the same name. */
interface TestClockDocument {
  /** The organization. */
  _id: string;
  /** How far it is ahead of the database's clock. It never goes back. */
  ahead_ms: number;
  /** When it was moved, in real time. */
  moved_at: Date;
}

const clocks = (db: Db) => db.collection<TestClockDocument>('test_clocks');

export async function createTestClockIndexes(db: Db): Promise<void> {
  await clocks(db).createIndex({ moved_at: 1 });
}

/** Whether the clock of an organization was moved before. */
export const hasClock = async (db: Db, organizationId: string): Promise<boolean> =>
  (await clocks(db).findOne({ _id: organizationId }, { projection: { _id: 1 } })) !== null;

/** Stores that a clock is at least so far ahead. */
export async function putClock(db: Db, organizationId: string, aheadMs: number): Promise<void> {
  const isLater = { $gt: [aheadMs, { $ifNull: ['$ahead_ms', 0] }] };
  const moved = { ahead_ms: { $max: ['$ahead_ms', aheadMs] }, moved_at: { $cond: [isLater, '$$NOW', '$moved_at'] } };
  await clocks(db).updateOne({ _id: organizationId }, [{ $set: moved }], { upsert: true });
}

/** An erased organization has no time of its own any more. @returns how many clocks were deleted */
export async function deleteClockOf(db: Db, { organizationId, wholeOrganization }: EraseRequest): Promise<number> {
  return wholeOrganization ? (await clocks(db).deleteOne({ _id: organizationId })).deletedCount : 0;
}

/** A write may be visible this much later than its time says. */
const TOLERANCE_MS = 10_000;

/** The clocks that were moved since a time, or all. */
export async function listMovedClocks(
  db: Db,
  since: Date | undefined,
): Promise<{ readonly clocks: readonly { readonly organizationId: string; readonly aheadMs: number }[]; readonly readAt: Date }> {
  const readAt = new Date(currentTime().getTime() - TOLERANCE_MS);
  const found = await clocks(db)
    .find(since ? { moved_at: { $gte: since } } : {}, { projection: { ahead_ms: 1 } })
    .toArray();
  return { clocks: found.map(({ _id: organizationId, ahead_ms: aheadMs }) => ({ organizationId, aheadMs })), readAt };
}
