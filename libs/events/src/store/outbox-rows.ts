import type { EraseRequest } from '@fanfare/contracts/erasure';
import { currentMs, timeOf } from '@fanfare/runtime';
import { Binary, type ClientSession, type Db } from 'mongodb';

/** A committed event that is not yet known to be in Kafka. */
export interface OutboxRow {
  /** The event's id. */
  _id: string;
  topic: string;
  key: string;
  headers: Record<string, string>;
  value: Binary;
  /** Until then the row is leased by its relay; after that another relay may lease it. */
  claimed_until: Date;
  claimed_by?: string;
}

const rows = (db: Db) => db.collection<OutboxRow>('outbox');

export async function createOutboxIndexes(db: Db): Promise<void> {
  await rows(db).createIndex({ claimed_until: 1, _id: 1 });
}

/** The relay of the process that writes the row: it has the row from the start, which saves the write that leases it. */
const relayOf = new WeakMap<Db, string>();

export const setRelay = (db: Db, by: string): void => void relayOf.set(db, by);
export const unsetRelay = (db: Db): void => void relayOf.delete(db);

/**
 * How long a row is leased by the relay of the process that wrote it. After that another relay leases it, even if Kafka is only slow: then Kafka has
 * the event twice, and consumers recognize it by its id.
 */
const OWN_FOR_MS = 2_000;
/** A relay does not send a row whose lease ends sooner than this: another relay may lease it before Kafka has it. */
const SENT_WITHIN_MS = 500;

export async function insertOutboxRows(
  db: Db,
  events: readonly (Omit<OutboxRow, 'value' | 'claimed_until' | 'claimed_by'> & { value: Uint8Array })[],
  session: ClientSession,
): Promise<void> {
  const by = relayOf.get(db);
  const claim = by === undefined ? { claimed_until: new Date(0) } : { claimed_until: new Date(currentMs() + OWN_FOR_MS), claimed_by: by };
  await rows(db).insertMany(
    events.map((row) => ({ ...row, value: new Binary(row.value), ...claim })),
    { session },
  );
}

/**
 * Leases rows without a relay, and the relay's own whose lease is too short to send them, oldest first, by the database's clock.
 * @returns how many, at most `maxRows`
 */
export async function claimOutboxRows(db: Db, claim: { by: string; leaseMs: number; maxRows: number }): Promise<number> {
  const untilNow = { $expr: { $lte: ['$claimed_until', '$$NOW'] } };
  const untilSoon = { $expr: { $lte: ['$claimed_until', { $add: ['$$NOW', SENT_WITHIN_MS] }] } };
  const free = { $and: [untilSoon, { $or: [{ claimed_by: claim.by }, untilNow] }] };
  const oldest = await rows(db)
    .find(free, { projection: { _id: 1 } })
    .sort({ claimed_until: 1, _id: 1 })
    .limit(claim.maxRows)
    .toArray();
  if (oldest.length === 0) return 0;
  const ids = oldest.map(({ _id }) => _id);
  await rows(db).updateMany({ _id: { $in: ids }, ...free }, [
    { $set: { claimed_until: { $add: ['$$NOW', claim.leaseMs] }, claimed_by: claim.by } },
  ]);
  return oldest.length;
}

/**
 * The rows that a relay has leased for long enough to send them: as many as fit into both limits, and at least one.
 * @returns the rows, and whether these are all
 */
export async function findOutboxRows(
  db: Db,
  { by, maxRows, maxBytes }: { by: string; maxRows: number; maxBytes: number },
): Promise<{ found: OutboxRow[]; isAll: boolean }> {
  const found: OutboxRow[] = [];
  let bytes = 0;
  const ours = { claimed_by: by, $expr: { $gt: ['$claimed_until', { $add: ['$$NOW', SENT_WITHIN_MS] }] } };
  const cursor = rows(db)
    .find(ours)
    .sort({ claimed_until: 1, _id: 1 })
    .limit(maxRows + 1)
    .batchSize(maxRows + 1);
  for await (const row of cursor) {
    bytes += row.value.length();
    if (found.length === maxRows || (bytes > maxBytes && found.length > 0)) return { found, isAll: false };
    found.push(row);
  }
  return { found, isAll: true };
}

/** Marks that they are in Kafka. */
export async function deleteOutboxRows(db: Db, ids: readonly string[]): Promise<void> {
  await rows(db).deleteMany({ _id: { $in: [...ids] } });
}

/**
 * Deletes events about erased businesses, or about the whole organization, that Kafka does not have yet. Nobody may know of them any more.
 * @returns how many
 */
export async function deleteOutboxRowsOf(db: Db, { organizationId, businessIds, wholeOrganization }: EraseRequest): Promise<number> {
  const ofBusiness = wholeOrganization ? {} : { 'headers.ce_businessid': { $in: [...businessIds] } };
  return (await rows(db).deleteMany({ 'headers.ce_organizationid': organizationId, ...ofBusiness })).deletedCount;
}

/** Releases the rows of a relay: another one can lease them at once. */
export async function releaseOutboxRows(db: Db, by: string): Promise<void> {
  await rows(db).updateMany({ claimed_by: by, claimed_until: { $gt: new Date(0) } }, { $set: { claimed_until: new Date(0) } });
}

/** How many events wait. */
export async function countOutboxRows(db: Db): Promise<number> {
  return rows(db).estimatedDocumentCount();
}

/** How long the oldest event has been waiting, by the database's clock: its id contains when it was written. Undefined if none waits. */
export async function outboxAgeMs(db: Db): Promise<number | undefined> {
  const [oldest] = await rows(db)
    .aggregate<{ _id: string; now: Date }>([{ $sort: { _id: 1 } }, { $limit: 1 }, { $project: { now: '$$NOW' } }])
    .toArray();
  return oldest && oldest.now.getTime() - timeOf(oldest._id).getTime();
}
