import { leasedRows, type LeasedRow } from '@fanfare/leased-work';
import type { ClientSession, Db } from 'mongodb';

/** When the notices of an organization are mailed. One row for each organization, with its id. */
export interface DigestDocument extends LeasedRow {
  /** When the next one is written; while a process writes it, the end of its lease. Absent if there are no notices. Database time. */
  run_at?: Date;
  /** When the last one was written. */
  last_at?: Date;
  /** Incremented by every transaction that adds notices, so that a concurrent digest detects them. */
  additions: number;
}

/** The minimum time between two digests of an organization. */
const BETWEEN_DIGESTS_MS = 15 * 60_000;

const digests = (db: Db) => db.collection<DigestDocument>('digests');

export const digestRows = leasedRows<DigestDocument>({ of: digests, due: 'run_at' });

export async function createDigestIndexes(db: Db): Promise<void> {
  await digests(db).createIndex({ run_at: 1 }, { partialFilterExpression: { run_at: { $exists: true } } });
}

/** Schedules a digest: soon, but not immediately after the last one. A scheduled digest keeps its time. */
export async function scheduleDigest(db: Db, organizationId: string, delayMs: number, session: ClientSession): Promise<void> {
  const earliest = { $max: [{ $add: ['$$NOW', delayMs] }, { $add: ['$last_at', BETWEEN_DIGESTS_MS] }] };
  const change = {
    run_at: { $ifNull: ['$run_at', earliest] },
    fence: { $ifNull: ['$fence', 0] },
    additions: { $add: [{ $ifNull: ['$additions', 0] }, 1] },
  };
  await digests(db).updateOne({ _id: organizationId }, [{ $set: change }], { upsert: true, session });
  digestRows.wakeWorkers(db, session);
}

/**
 * The digest is written. @param more whether further notices need another one
 * @throws LeaseLost
 */
export async function endDigest(db: Db, row: DigestDocument, more: boolean, session: ClientSession): Promise<void> {
  const next = more ? { $add: ['$$NOW', BETWEEN_DIGESTS_MS] } : '$$REMOVE';
  await digestRows.write(db, { row, pipeline: [{ $set: { last_at: '$$NOW', run_at: next } }] }, session);
}
