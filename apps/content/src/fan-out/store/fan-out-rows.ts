import { fenceAfter, leasedRows, type LeasedRow, type LeasedRows } from '@fanfare/leased-work';
import type { ClientSession, Db, Filter, OptionalUnlessRequiredId } from 'mongodb';

/** A change of media or a design that must be written to each post that shows it. There may be too many posts for the transaction that handles the event. */
export interface FanOutRow extends LeasedRow {
  // The id is that of what has changed.
  business_id: string;
  organization_id: string;
  /** The revision of what has changed. */
  revision: number;
  /** When its next posts are updated. While a process updates them, the end of its lease. */
  due_at: Date;
  /** All posts up to this id have been updated. The names of this field and the next are older than the term fan-out. */
  told_to?: string;
  /** All posts have been updated once, and will be updated a second time. */
  is_told?: true;
}

/** A post may be saved with data that was read before the change, after the posts were updated. Longer than any request takes. */
const AGAIN_AFTER_MS = 60_000;

export interface FanOutRows<Row extends FanOutRow> extends LeasedRows<Row> {
  createIndexes(db: Db): Promise<void>;
  /** A newer change replaces an older one, even while a process works on it; an older change is ignored. */
  put(db: Db, change: Omit<Row, 'due_at'>, session: ClientSession): Promise<void>;
  /** Records that posts up to this id have been updated, and lets other rows go next. @throws LeaseLost */
  noteProgress(db: Db, row: Row, postId: string): Promise<void>;
  /** Records that all posts have been updated. @throws LeaseLost */
  complete(db: Db, row: Row): Promise<void>;
}

/** The changes in one collection. */
export function fanOutRows<Row extends FanOutRow>(collection: string): FanOutRows<Row> {
  const of = (db: Db) => db.collection<Row>(collection);
  const rows = leasedRows<Row>({ of, due: 'due_at', countsAttempts: true });
  return {
    ...rows,
    async createIndexes(db) {
      await of(db).createIndex({ due_at: 1 });
    },
    async put(db, change, session) {
      const { _id, revision } = change as unknown as Pick<FanOutRow, '_id' | 'revision'>;
      const id = { _id } as Filter<Row>;
      const before = await of(db).findOne(id, { session });
      if (before && before.revision >= revision) return;
      const row = { ...change, due_at: new Date(0), ...(before && { fence: fenceAfter(before) }) };
      await of(db).replaceOne(id, row as unknown as OptionalUnlessRequiredId<Row>, { upsert: true, session });
      rows.wakeWorkers(db, session);
    },
    noteProgress: (db, row, postId) => rows.postpone(db, row, 0, [{ $set: { told_to: postId, attempts: 0 } }]),
    complete: (db, row) =>
      row.is_told ? rows.end(db, row) : rows.postpone(db, row, AGAIN_AFTER_MS, [{ $set: { is_told: true, told_to: '', attempts: 0 } }]),
  };
}
