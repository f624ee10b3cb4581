import { Binary, type ClientSession, type Db } from 'mongodb';

/** An event that was committed and is not yet known to be in Kafka. */
export interface OutboxRow {
  /** The event's id. */
  _id: string;
  topic: string;
  key: string;
  headers: Record<string, string>;
  value: Binary;
  /** A relay that claimed the row has it until then; after that another takes over. */
  claimed_until: Date;
  claimed_by?: string;
}

const rows = (db: Db) => db.collection<OutboxRow>('outbox');

export async function createOutboxIndexes(db: Db): Promise<void> {
  await rows(db).createIndex({ claimed_until: 1, _id: 1 });
}

export async function insertOutboxRows(
  db: Db,
  events: readonly (Omit<OutboxRow, 'value' | 'claimed_until'> & { value: Uint8Array })[],
  session: ClientSession,
): Promise<void> {
  const free = events.map((row) => ({ ...row, value: new Binary(row.value), claimed_until: new Date(0) }));
  await rows(db).insertMany(free, { session });
}

/**
 * Claims rows that nobody has, oldest first, by the database's clock: as many as fit into both limits, and at least one.
 * @returns what is this relay's now, and whether that is all that nobody had
 */
export async function claimOutboxRows(
  db: Db,
  claim: { by: string; leaseMs: number; maxRows: number; maxBytes: number },
): Promise<{ rows: OutboxRow[]; isAll: boolean }> {
  const free = { $expr: { $lte: ['$claimed_until', '$$NOW'] } };
  const oldest = await rows(db)
    .find(free)
    .project<{ _id: string; bytes: number }>({ _id: 1, bytes: { $bsonSize: '$$ROOT' } })
    .sort({ claimed_until: 1, _id: 1 })
    .limit(claim.maxRows)
    .toArray();
  let bytes = 0;
  const ids = oldest.filter((row, index) => (bytes += row.bytes) <= claim.maxBytes || index === 0).map(({ _id }) => _id);
  if (ids.length === 0) return { rows: [], isAll: true };
  await rows(db).updateMany({ _id: { $in: ids }, ...free }, [
    { $set: { claimed_until: { $add: ['$$NOW', claim.leaseMs] }, claimed_by: claim.by } },
  ]);
  const claimed = await rows(db)
    .find({ _id: { $in: ids }, claimed_by: claim.by })
    .sort({ _id: 1 })
    .toArray();
  return { rows: claimed, isAll: ids.length === oldest.length && oldest.length < claim.maxRows };
}

/** The mark that they are in Kafka. */
export async function deleteOutboxRows(db: Db, ids: readonly string[]): Promise<void> {
  await rows(db).deleteMany({ _id: { $in: [...ids] } });
}

export async function releaseOutboxRows(db: Db, ids: readonly string[], by: string): Promise<void> {
  await rows(db).updateMany({ _id: { $in: [...ids] }, claimed_by: by }, { $set: { claimed_until: new Date(0) } });
}

/** How many events wait; for metrics, which are not to wait for a database that is away. */
export async function countOutboxRows(db: Db): Promise<number> {
  return rows(db).estimatedDocumentCount({ timeoutMS: 1_000 });
}
