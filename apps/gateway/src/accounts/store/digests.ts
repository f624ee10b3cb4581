import { leasedRows, type LeasedRow } from '@fanfare/leased-work';
import type { ClientSession, Db } from 'mongodb';

/** When the notices of an organization are mailed; one row each, by its id. */
export interface DigestDocument extends LeasedRow {
  /** When to write the next one; while a process writes it, when its lease ends. Absent while there is nothing to tell. Database time. */
  run_at?: Date;
  /** When the last one was written. */
  last_at?: Date;
  /** Grows with every transaction that adds notices, so that one that writes a digest beside it notices. */
  additions: number;
}

/** The digests of an organization that has something to tell come this far apart. */
export const PAUSE_MS = 15 * 60_000;

const digests = (db: Db) => db.collection<DigestDocument>('digests');

export const digestRows = leasedRows<DigestDocument>({ of: digests, due: 'run_at' });

export async function createDigestIndexes(db: Db): Promise<void> {
  await digests(db).createIndex({ run_at: 1 }, { partialFilterExpression: { run_at: { $exists: true } } });
}

/** There is something to tell: soon, and not right after the last time. A digest that is on its way stays so. */
export async function scheduleDigest(db: Db, organizationId: string, delayMs: number, session: ClientSession): Promise<void> {
  const earliest = { $max: [{ $add: ['$$NOW', delayMs] }, { $add: ['$last_at', PAUSE_MS] }] };
  const change = {
    run_at: { $ifNull: ['$run_at', earliest] },
    fence: { $ifNull: ['$fence', 0] },
    additions: { $add: [{ $ifNull: ['$additions', 0] }, 1] },
  };
  await digests(db).updateOne({ _id: organizationId }, [{ $set: change }], { upsert: true, session });
}

/**
 * It is written. @param more whether there is more to tell, in another one
 * @throws LeaseLost
 */
export async function endDigest(db: Db, row: DigestDocument, more: boolean, session: ClientSession): Promise<void> {
  const next = more ? { $add: ['$$NOW', PAUSE_MS] } : '$$REMOVE';
  await digestRows.write(db, { row, pipeline: [{ $set: { last_at: '$$NOW', run_at: next } }] }, session);
}
