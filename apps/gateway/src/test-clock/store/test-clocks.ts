import { isDuplicateKey } from '@fanfare/mongo';
import { leasedRows, type LeasedRow } from '@fanfare/leased-work';
import type { Db } from 'mongodb';

/** The test clock of an organization. It is also the row that a process leases to advance it, step by step. */
export interface TestClockDocument extends LeasedRow {
  /** The organization. */
  _id: string;
  /** How far it is ahead of the database's clock. Stored before any service gets it, and never goes back. */
  ahead_ms: number;
  /** When it was moved, in real time: other processes read the clocks that were moved lately. */
  moved_at: Date;
  /** Where it is being advanced to; absent if it is not. A stop makes it earlier, never later. */
  target_at?: Date;
  /** Where the advance began. */
  from_at?: Date;
  /** When the advance was requested, in real time; absent in rows of older versions. */
  requested_at?: Date;
  /** When the next step is due; while a process has the lease, when that ends. Absent if it is not being advanced. */
  run_at?: Date;
  /** The latest requests that advanced or stopped it: a repeated one does neither. */
  operation_ids?: string[];
}

const clocks = (db: Db) => db.collection<TestClockDocument>('test_clocks');

export const clockRows = leasedRows<TestClockDocument>({ of: clocks, due: 'run_at', open: { target_at: { $exists: true } } });

export async function createClockIndexes(db: Db): Promise<void> {
  await clocks(db).createIndex({ run_at: 1 }, { partialFilterExpression: { run_at: { $exists: true } } });
}

export const findClock = (db: Db, organizationId: string): Promise<TestClockDocument | null> => clocks(db).findOne({ _id: organizationId });

/** Enough to recognize repeats. */
const OPERATIONS_KEPT = 20;
/** A clock is ahead from the request to move it, so that everything that happens is noted for it. */
const LEAST_AHEAD_MS = 1;

/** Requests an advance. @returns null if one is under way */
export async function requestAdvance(
  db: Db,
  organizationId: string,
  { fromAt, targetAt, operationId }: { readonly fromAt: Date; readonly targetAt: Date; readonly operationId: string },
): Promise<TestClockDocument | null> {
  const change = {
    ...{ from_at: fromAt, target_at: targetAt, requested_at: '$$NOW', run_at: '$$NOW', operation_ids: withOperation(operationId) },
    ahead_ms: { $max: ['$ahead_ms', LEAST_AHEAD_MS] },
    moved_at: { $ifNull: ['$moved_at', '$$NOW'] },
    fence: { $ifNull: ['$fence', 0] },
  };
  const idle = { _id: organizationId, target_at: { $exists: false } };
  try {
    return await clocks(db).findOneAndUpdate(idle, [{ $set: change }], { upsert: true, returnDocument: 'after' });
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

/**
 * Requests that an advance ends where the clock is: that becomes its target. Whoever advances the clock does what is due by then, and ends the advance.
 * @returns the clock as it is then, also if it was not being advanced or this is a repeat; null if it was never advanced
 */
export async function requestStop(db: Db, organizationId: string, operationId: string): Promise<TestClockDocument | null> {
  const here = { $min: ['$target_at', { $add: ['$$NOW', '$ahead_ms'] }] };
  const change = {
    target_at: { $cond: [{ $eq: [{ $type: '$target_at' }, 'missing'] }, '$$REMOVE', here] },
    operation_ids: withOperation(operationId),
  };
  const notRepeated = { _id: organizationId, operation_ids: { $ne: operationId } };
  return (await clocks(db).findOneAndUpdate(notRepeated, [{ $set: change }], { returnDocument: 'after' })) ?? findClock(db, organizationId);
}

const withOperation = (operationId: string) => ({
  $slice: [{ $concatArrays: [{ $ifNull: ['$operation_ids', []] }, [operationId]] }, -OPERATIONS_KEPT],
});

/** Moves the clock forward, unless it was stopped since the row was read. @throws LeaseLost */
export function moveClock(db: Db, row: TestClockDocument, aheadMs: number): Promise<TestClockDocument> {
  const moved = { $cond: [{ $eq: ['$target_at', row.target_at] }, { $max: ['$ahead_ms', aheadMs] }, '$ahead_ms'] };
  return clockRows.write(db, { row, pipeline: [{ $set: { ahead_ms: moved, moved_at: '$$NOW' } }] });
}

/** The clock has arrived. @throws LeaseLost */
export const endAdvance = (db: Db, row: TestClockDocument): Promise<TestClockDocument> =>
  clockRows.write(db, { row, pipeline: [{ $unset: ['from_at', 'target_at', 'requested_at', 'run_at', 'real_due'] }] });
