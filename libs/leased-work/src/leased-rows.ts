import { aheadMs, currentMs, grouped, learnClock, newId, now as timeOf, onePer } from '@fanfare/runtime';
import {
  MongoBulkWriteError,
  MongoServerError,
  MongoWriteConcernError,
  type ClientSession,
  type Collection,
  type Db,
  type Document,
  type Filter,
  type Sort,
} from 'mongodb';
import { raisedFence } from './fence.ts';
import { LeaseLost } from './lease-lost.ts';
import { createLockedRows } from './locked-rows.ts';
import { createRowsInWork } from './rows-in-work.ts';
import { createWokenWorkers } from './woken-workers.ts';

/** What every row has that a process can lease, in addition to its due time. */
export interface LeasedRow {
  _id: string;
  /** Raised by each lease; a write with an older fence changes nothing. Absent in rows that were never leased. */
  fence?: number;
  /** How often it was leased, for work that counts attempts. */
  attempts?: number;
  /** The last batch of writes that it was part of. */
  written_in?: string;
  /**
   * If it equals the due time, that is real time: the end of a lease, or of a wait for another system. Otherwise the due time is that of the row's
   * organization, whose test clock may be ahead; see `organizationTime`.
   */
  real_due?: Date;
  organization_id?: string;
  /** How far the test clock of its organization was ahead when it made the row due, so that every process that leases the row knows the clock. */
  clock_ms?: number;
}

/** A write to a row that this process has leased. */
export interface FencedWrite {
  readonly row: Pick<LeasedRow, '_id' | 'fence'>;
  /** An aggregation pipeline: texts of callers must be in a `$literal`. */
  readonly pipeline: readonly Document[];
}

/** Rows of one collection, each leased by one process at a time. All times are the database's. A row is free if it is neither locked nor in work in this process. */
export interface LeasedRows<Row extends LeasedRow> {
  /** Leases the first due row that is free, for `leaseMs`. `where` excludes others. */
  leaseDue(db: Db, leaseMs: number, where?: Filter<Row>): Promise<Row | null>;
  /** Leases those of the rows that are still due and free, in one round trip for all. */
  leaseThese(db: Db, ids: readonly string[], leaseMs: number): Promise<Row[]>;
  /** Milliseconds until the next row that is free is due, 0 or less if one is due already; undefined if no row is waiting. */
  nextInMs(db: Db): Promise<number | undefined>;
  /** Wakes the workers of this process, because it has written a row that is due now or soon: at once or, whether it commits or not, when the session has ended. */
  wakeWorkers(db: Db, session?: ClientSession): void;
  /** For workers: calls `wake` from now on. @returns ends that */
  onWake(db: Db, wake: () => void): () => void;
  /** This process works on a row: it does not lease it again while it has the lease, even an expired one. @returns ends it */
  begin(db: Db, row: Row): () => void;
  /** Extends the lease; false if it is lost. */
  renew(db: Db, row: Row, leaseMs: number): Promise<boolean>;
  /**
   * Writes if this process still has the lease, and returns the updated row. Concurrent writes to several rows, outside of transactions, share one
   * round trip.
   * @throws LeaseLost
   */
  write(db: Db, write: FencedWrite, session?: ClientSession): Promise<Row>;
  /**
   * Writes all of them or none.
   * @throws LeaseLost of one of them
   */
  writeAll(db: Db, writes: readonly FencedWrite[], session: ClientSession): Promise<Row[]>;
  /**
   * Releases the lease: the row is due again `inMs` from now.
   * @param change stages of the same write
   * @throws LeaseLost
   */
  postpone(db: Db, row: Row, inMs: number, change?: readonly Document[]): Promise<void>;
  /** The same in real time, whatever the organization's clock: the row waits for something that a test clock does not move. @throws LeaseLost */
  postponeInRealTime(db: Db, row: Row, inMs: number): Promise<void>;
  /** Releases the lease as if the row had not been leased: it is due now, and no attempt is counted. @throws LeaseLost */
  giveBack(db: Db, row: Row): Promise<void>;
  /** Deletes the row. @throws LeaseLost */
  end(db: Db, row: Pick<Row, '_id' | 'fence'>, session?: ClientSession): Promise<void>;
  /** Of rows with `organizationTime`: makes due those of one organization that are due by its test clock. `of` selects them by an index. */
  wake(db: Db, organizationId: string, of?: Filter<Row>): Promise<number>;
  /** Of rows with `organizationTime`: whether one is due or leased, and when the next one is due by the clock of its organization, even if that has passed. */
  workOf(db: Db, organizationId: string, of?: Filter<Row>): Promise<WorkOfClock>;
}

/** What is left to do of an organization with a test clock. */
export interface WorkOfClock {
  /** Something is due or in progress. */
  readonly isOpen: boolean;
  /** By the organization's clock. */
  readonly nextAt?: Date | undefined;
}

const MOST_TOGETHER = 64;

/** Leasing waits no longer for a row that a transaction has locked. Many times what a write takes. */
const LOCK_WAIT_MS = 1_000;
/** The code of MongoDB for an operation that took longer than its `maxTimeMS`. */
const MAX_TIME_EXPIRED = 50;

/**
 * @param options.of the collection
 * @param options.due the field with the time at which the row is due and, while it is leased, the end of its lease. A row without it is never due.
 * @param options.open the condition that holds as long as a row has work left
 * @param options.sort the order in which due rows are leased; by default, the longest due first
 * @param options.countsAttempts each lease counts as an attempt, whatever its result, also if its process dies
 * @param options.organizationTime the due times are those of the rows' organizations (`now(organization)`), except those that equal `real_due`. What a test
 *   clock makes due is found by `wake`; for an organization without one, both times are the same.
 */
export function leasedRows<Row extends LeasedRow>(options: {
  of: (db: Db) => Collection<Row>;
  due: keyof Row & string;
  open?: Filter<Row>;
  sort?: Sort;
  countsAttempts?: true;
  organizationTime?: true;
}): LeasedRows<Row> {
  const { of, due, open = {}, sort = { [due]: 1 }, countsAttempts, organizationTime } = options;
  const now = '$$NOW';
  const path = `$${due}`;
  const isWaiting = { ...open, [due]: { $gte: new Date(0) } };
  const locked = createLockedRows();
  const inWork = createRowsInWork();
  const workers = createWokenWorkers();
  const isFree = (db: Db) => ({ ...locked.others(), ...inWork.others(db) }) as Filter<Row>;
  const isDue = { ...isWaiting, $expr: { $lte: [path, now] } };
  const taking = (leaseMs: number) => ({
    $set: {
      ...leasedFor(due, leaseMs),
      fence: raisedFence,
      ...(countsAttempts && { attempts: { $add: [{ $ifNull: ['$attempts', 0] }, 1] } }),
    },
  });
  // A row that was read and never leased has no fence: the write requires that no process has leased it since.
  const ours = ({ _id, fence }: FencedWrite['row']) => ({ ...open, _id, fence: fence ?? null }) as Filter<Row> & { _id: string };

  const alone = async (db: Db, { row, pipeline }: FencedWrite, session?: ClientSession): Promise<Row> => {
    const after = await of(db).findOneAndUpdate(ours(row), [...pipeline], { returnDocument: 'after', ...(session && { session }) });
    if (!after) throw new LeaseLost(row._id);
    return after as Row;
  };

  /**
   * Whether the database has kept a write that it did not confirm in time. A write that changes nothing is confirmed after all writes before it; after a failover,
   * another process may have leased the row with the same fence, but not with the same mark.
   */
  const isKept = async (db: Db, _id: string, written_in: string): Promise<boolean> => {
    const { matchedCount } = await of(db).updateOne({ _id, written_in } as Filter<Row>, [{ $set: { written_in } }]);
    return matchedCount > 0;
  };

  interface MarkedWrite {
    readonly where: Filter<Row> & { readonly _id: string };
    readonly pipeline: readonly Document[];
  }
  /** Returns the rows that were written, as updated: a mark distinguishes them from rows that another process wrote meanwhile. */
  const marked = async (db: Db, writes: readonly MarkedWrite[], session?: ClientSession, maxTimeMS?: number): Promise<Map<string, Row>> => {
    const inSession = session && { session };
    const written_in = newId();
    const attempt = async (some: readonly MarkedWrite[]): Promise<void> => {
      const operations = some.map(({ where, pipeline }) => ({
        updateOne: { filter: where, update: [...pipeline, { $set: { written_in } }] },
      }));
      await of(db)
        .bulkWrite(operations, { ordered: false, ...inSession, ...(maxTimeMS !== undefined && { maxTimeMS }) })
        .catch(async (error: unknown) => {
          if (maxTimeMS !== undefined && isTimeOver(error)) return afterTimeOver(some);
          // Outside of a transaction, a rejected write does not affect the others.
          if (session || !isRejectionOfSome(error)) throw error;
        });
    };
    /** A locked row stops those after it, so each is tried by itself. Rows that were written before it are no longer due. */
    const afterTimeOver = async (some: readonly MarkedWrite[]): Promise<void> => {
      const [first, ...others] = some;
      if (first && others.length === 0) {
        if (!(await isKept(db, first.where._id, written_in))) locked.add(first.where._id);
      } else await Promise.all(some.map((one) => attempt([one])));
    };
    await attempt(writes);
    const ids = writes.map(({ where }) => where._id);
    const found = await of(db)
      .find({ _id: { $in: ids }, written_in } as Filter<Row>, inSession)
      .toArray();
    return new Map(found.map((row) => [row._id, row as Row]));
  };
  const inOneTrip = (db: Db, writes: readonly FencedWrite[], session?: ClientSession) =>
    marked(
      db,
      writes.map(({ row, pipeline }) => ({ where: ours(row), pipeline })),
      session,
    );

  const together = async (db: Db, writes: readonly FencedWrite[]): Promise<PromiseSettledResult<Row>[]> => {
    if (writes.length === 1) return Promise.allSettled(writes.map((write) => alone(db, write)));
    const after = await inOneTrip(db, writes);
    // A single write of a row that was not written shows why.
    return Promise.allSettled(writes.map(async (write) => after.get(write.row._id) ?? alone(db, write)));
  };
  const writer = onePer((db: Db) =>
    grouped<FencedWrite, Row>({ most: MOST_TOGETHER, keyOf: ({ row }) => row._id, work: (all) => together(db, all) }),
  );
  const write = (db: Db, one: FencedWrite, session?: ClientSession) => (session ? alone(db, one, session) : writer(db)(one));
  const release = async (db: Db, row: Row, at: Document, change: readonly Document[] = []): Promise<void> => {
    await write(db, { row, pipeline: [...change, { $set: { [due]: at, fence: raisedFence } }] });
  };
  const postpone = (db: Db, row: Row, inMs: number, change?: readonly Document[]): Promise<void> =>
    release(db, row, inFuture(inMs + (organizationTime ? aheadMs(row.organization_id ?? '') : 0)), change);
  /** The clock that made the row due: this process may not know it yet. */
  const learned = (row: Row): Row => {
    if (row.clock_ms !== undefined) learnClock(row.organization_id ?? '', row.clock_ms);
    return row;
  };

  return {
    write,
    async leaseDue(db, leaseMs, where = {}) {
      const written_in = newId();
      for (;;) {
        const filter = { $and: [isDue, where, isFree(db)] } as Filter<Row>;
        try {
          const taken = { sort, returnDocument: 'after', maxTimeMS: LOCK_WAIT_MS } as const;
          const row = (await of(db).findOneAndUpdate(filter, [taking(leaseMs), { $set: { written_in } }], taken)) as Row | null;
          return row && learned(row);
        } catch (error) {
          if (!isTimeOver(error)) throw error;
          if (error instanceof MongoWriteConcernError) {
            // The row is leased, and only the confirmation takes long. Nobody would work on it until the lease has expired.
            const row = error.result['value'] as Row | null;
            if (!row) return null;
            if (await isKept(db, row._id, written_in)) return learned(row);
            continue;
          }
          const first = await of(db).findOne(filter, { sort, projection: { _id: 1 } });
          if (first) locked.add(first._id);
        }
      }
    },
    async leaseThese(db, ids, leaseMs) {
      const without = new Set(locked.ids());
      const free = ids.filter((id) => !without.has(id));
      if (free.length === 0) return [];
      const where = (_id: string) => ({ ...isDue, ...inWork.others(db, _id), _id }) as unknown as MarkedWrite['where'];
      const writes = free.map((_id) => ({ where: where(_id), pipeline: [taking(leaseMs)] }));
      return [...(await marked(db, writes, undefined, LOCK_WAIT_MS)).values()].map(learned);
    },
    async nextInMs(db) {
      const stages = [
        { $match: { ...isWaiting, ...isFree(db) } },
        { $sort: { [due]: 1 } },
        { $limit: 1 },
        { $project: { in_ms: { $subtract: [path, now] } } },
      ];
      const [next] = await of(db).aggregate<{ in_ms: number }>(stages).toArray();
      return next && Number(next.in_ms);
    },
    wakeWorkers: workers.wake,
    onWake: workers.add,
    begin: inWork.begin,
    async renew(db, row, leaseMs) {
      try {
        await write(db, { row, pipeline: [{ $set: leasedFor(due, leaseMs) }] });
        return true;
      } catch (error) {
        if (error instanceof LeaseLost) return false;
        throw error;
      }
    },
    async writeAll(db, writes, session) {
      const [first, ...others] = writes;
      // A single write needs one round trip less.
      if (first && others.length === 0) return [await alone(db, first, session)];
      const after = await inOneTrip(db, writes, session);
      return writes.map(({ row: { _id } }) => {
        const row = after.get(_id);
        if (!row) throw new LeaseLost(_id);
        return row;
      });
    },
    postpone,
    postponeInRealTime: (db, row, inMs) => release(db, row, inFuture(inMs), [{ $set: { real_due: inFuture(inMs) } }]),
    giveBack: (db, row) => release(db, row, inFuture(0), countsAttempts && [{ $set: { attempts: { $subtract: ['$attempts', 1] } } }]),
    async end(db, row, session) {
      const { deletedCount } = await of(db).deleteOne(ours(row), session && { session });
      if (deletedCount === 0) throw new LeaseLost(row._id);
    },
    async wake(db, organizationId, where = { organization_id: organizationId } as Filter<Row>) {
      const ms = aheadMs(organizationId);
      const isAhead = { $and: [{ $gt: [path, now] }, { $ne: [path, '$real_due'] }] };
      const waiting = { ...isWaiting, ...where, [due]: { $gt: new Date(0), $lte: timeOf(organizationId) }, $expr: isAhead } as Filter<Row>;
      const { modifiedCount } = await of(db).updateMany(waiting, [{ $set: { [due]: now, clock_ms: { $max: ['$clock_ms', ms] } } }]);
      return modifiedCount;
    },
    async workOf(db, organizationId, where = { organization_id: organizationId } as Filter<Row>) {
      const found = await of(db)
        .find({ ...isWaiting, ...where }, { projection: { [due]: 1, real_due: 1 } })
        .sort({ [due]: 1 })
        .limit(MOST_LOOKED_AT)
        .toArray();
      const soon = currentMs() + SOON_MS;
      const rows = found.map((row) => ({
        dueAt: (row as unknown as Record<string, Date>)[due] as Date,
        realDue: (row as LeasedRow).real_due,
      }));
      const isOpen = ({ dueAt, realDue }: (typeof rows)[number]) => dueAt.getTime() <= soon || dueAt.getTime() === realDue?.getTime();
      return { isOpen: rows.some(isOpen), nextAt: rows.find((row) => !isOpen(row))?.dueAt };
    },
  };
}

/** What is due so soon is waited for: a clock is not moved for it. */
const SOON_MS = 20;
/** The first rows show what is open, and what is next. */
const MOST_LOOKED_AT = 100;

const inFuture = (ms: number): Document => ({ $add: ['$$NOW', Math.round(ms)] });

/** The fields of a lease that lasts so long from now, for the pipeline of a store that extends it together with another write. */
export const leasedFor = (due: string, ms: number): Document => ({ [due]: inFuture(ms), real_due: inFuture(ms) });

const isTimeOver = (error: unknown): boolean => error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED;

const isRejectionOfSome = (error: unknown): boolean => error instanceof MongoBulkWriteError && [error.writeErrors].flat().length > 0;
