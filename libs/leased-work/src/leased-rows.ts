import { grouped, newId, onePer } from '@fanfare/runtime';
import { MongoBulkWriteError, type ClientSession, type Collection, type Db, type Document, type Filter, type Sort } from 'mongodb';
import { raisedFence } from './fence.ts';
import { LeaseLost } from './lease-lost.ts';

/** What every row has that a process can lease, besides the time at which it is due. */
export interface LeasedRow {
  _id: string;
  /** Grows with each lease; a write with an older one changes nothing. Absent in rows that nobody has leased. */
  fence?: number;
  /** How often it was leased, in work that counts that. */
  attempts?: number;
  /** The last group of writes that it was part of. */
  written_in?: string;
}

/** A write to a row that this process has leased. */
export interface FencedWrite {
  readonly row: Pick<LeasedRow, '_id' | 'fence'>;
  /** An aggregation pipeline: texts of callers have to stand in a `$literal`. */
  readonly pipeline: readonly Document[];
}

/** Rows of one collection that processes lease, one process at a time each. All times are the database's. */
export interface LeasedRows<Row extends LeasedRow> {
  /** Takes the row that comes first among those that are due, for `leaseMs`. `where` leaves others out. */
  leaseDue(db: Db, leaseMs: number, where?: Filter<Row>): Promise<Row | null>;
  /** Takes those of the rows that are still due, in one round trip for all. */
  leaseThese(db: Db, ids: readonly string[], leaseMs: number): Promise<Row[]>;
  /** In how many milliseconds the next row is due, 0 or less when it is; undefined when none is waiting. */
  nextInMs(db: Db): Promise<number | undefined>;
  /** Lengthens the lease; false when it is lost. */
  renew(db: Db, row: Row, leaseMs: number): Promise<boolean>;
  /**
   * Writes if the lease is still ours, and hands over the row as it is then. Writes to several rows that are asked for at once, outside of
   * transactions, go in one round trip.
   * @throws LeaseLost
   */
  write(db: Db, write: FencedWrite, session?: ClientSession): Promise<Row>;
  /**
   * All of them are written, or none.
   * @throws LeaseLost of one of them
   */
  writeAll(db: Db, writes: readonly FencedWrite[], session: ClientSession): Promise<Row[]>;
  /**
   * Gives the lease back: the row is due again `inMs` from now.
   * @param change stages that go in the same write
   * @throws LeaseLost
   */
  postpone(db: Db, row: Row, inMs: number, change?: readonly Document[]): Promise<void>;
  /** Gives the lease back as if the row had not been leased: it is due now, and nothing counts as an attempt. @throws LeaseLost */
  giveBack(db: Db, row: Row): Promise<void>;
  /** Deletes the row. @throws LeaseLost */
  end(db: Db, row: Pick<Row, '_id' | 'fence'>, session?: ClientSession): Promise<void>;
}

const MOST_TOGETHER = 64;

/**
 * @param options.of the collection
 * @param options.due the field that says when the row is due and, while a process has it, when its lease ends. A row without it is never due.
 * @param options.open what is true of a row as long as there is work left in it
 * @param options.sort the order in which rows that are due are taken; by default those go first that have been due for longest
 * @param options.countsAttempts each lease counts as an attempt, whatever becomes of it: also one whose process dies
 */
export function leasedRows<Row extends LeasedRow>(options: {
  of: (db: Db) => Collection<Row>;
  due: keyof Row & string;
  open?: Filter<Row>;
  sort?: Sort;
  countsAttempts?: true;
}): LeasedRows<Row> {
  const { of, due, open = {}, sort = { [due]: 1 }, countsAttempts } = options;
  const now = '$$NOW';
  const path = `$${due}`;
  const isWaiting = { ...open, [due]: { $gte: new Date(0) } };
  const isDue = { ...isWaiting, $expr: { $lte: [path, now] } };
  const inFuture = (ms: number) => ({ $add: [now, Math.round(ms)] });
  const taking = (leaseMs: number) => ({
    $set: {
      [due]: inFuture(leaseMs),
      fence: raisedFence,
      ...(countsAttempts && { attempts: { $add: [{ $ifNull: ['$attempts', 0] }, 1] } }),
    },
  });
  // A row that was read and never leased has no fence: then nobody may have leased it since.
  const ours = ({ _id, fence }: FencedWrite['row']) => ({ ...open, _id, fence: fence ?? null }) as Filter<Row>;

  const alone = async (db: Db, { row, pipeline }: FencedWrite, session?: ClientSession): Promise<Row> => {
    const after = await of(db).findOneAndUpdate(ours(row), [...pipeline], { returnDocument: 'after', ...(session && { session }) });
    if (!after) throw new LeaseLost(row._id);
    return after as Row;
  };

  /** Returns those that were written, as they are then: a mark tells them from those that another process wrote meanwhile. */
  const marked = async (
    db: Db,
    writes: readonly { readonly where: Filter<Row>; readonly pipeline: readonly Document[] }[],
    session?: ClientSession,
  ): Promise<Map<string, Row>> => {
    const inSession = session && { session };
    const written_in = newId();
    const operations = writes.map(({ where, pipeline }) => ({
      updateOne: { filter: where, update: [...pipeline, { $set: { written_in } }] },
    }));
    await of(db)
      .bulkWrite(operations, { ordered: false, ...inSession })
      .catch((error: unknown) => {
        // Outside of a transaction one that is refused leaves the others be.
        if (session || !isRefusalOfSome(error)) throw error;
      });
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
    // What was not written tells by itself why not.
    return Promise.allSettled(writes.map(async (write) => after.get(write.row._id) ?? alone(db, write)));
  };
  const writer = onePer((db: Db) =>
    grouped<FencedWrite, Row>({ most: MOST_TOGETHER, keyOf: ({ row }) => row._id, work: (all) => together(db, all) }),
  );
  const write = (db: Db, one: FencedWrite, session?: ClientSession) => (session ? alone(db, one, session) : writer(db)(one));
  const postpone = async (db: Db, row: Row, inMs: number, change: readonly Document[] = []): Promise<void> => {
    await write(db, { row, pipeline: [...change, { $set: { [due]: inFuture(inMs), fence: raisedFence } }] });
  };

  return {
    write,
    async leaseDue(db, leaseMs, where = {}) {
      const filter = { $and: [isDue, where] } as Filter<Row>;
      return (await of(db).findOneAndUpdate(filter, [taking(leaseMs)], { sort, returnDocument: 'after' })) as Row | null;
    },
    async leaseThese(db, ids, leaseMs) {
      if (ids.length === 0) return [];
      const pipeline = [taking(leaseMs)];
      const leased = await marked(
        db,
        ids.map((_id) => ({ where: { ...isDue, _id } as unknown as Filter<Row>, pipeline })),
      );
      return [...leased.values()];
    },
    async nextInMs(db) {
      const stages = [{ $match: isWaiting }, { $sort: { [due]: 1 } }, { $limit: 1 }, { $project: { in_ms: { $subtract: [path, now] } } }];
      const [next] = await of(db).aggregate<{ in_ms: number }>(stages).toArray();
      return next && Number(next.in_ms);
    },
    async renew(db, row, leaseMs) {
      try {
        await write(db, { row, pipeline: [{ $set: { [due]: inFuture(leaseMs) } }] });
        return true;
      } catch (error) {
        if (error instanceof LeaseLost) return false;
        throw error;
      }
    },
    async writeAll(db, writes, session) {
      const [first, ...others] = writes;
      // One write alone costs one round trip less.
      if (first && others.length === 0) return [await alone(db, first, session)];
      const after = await inOneTrip(db, writes, session);
      return writes.map(({ row: { _id } }) => {
        const row = after.get(_id);
        if (!row) throw new LeaseLost(_id);
        return row;
      });
    },
    postpone,
    giveBack: (db, row) => postpone(db, row, 0, countsAttempts && [{ $set: { attempts: { $subtract: ['$attempts', 1] } } }]),
    async end(db, row, session) {
      const { deletedCount } = await of(db).deleteOne(ours(row), session && { session });
      if (deletedCount === 0) throw new LeaseLost(row._id);
    },
  };
}

const isRefusalOfSome = (error: unknown): boolean => error instanceof MongoBulkWriteError && [error.writeErrors].flat().length > 0;
