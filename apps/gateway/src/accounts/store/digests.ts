import type { ClientSession, Db } from 'mongodb';

/** When the notices of an organization are mailed; one row each. */
export interface DigestDocument {
  /** The organization. */
  _id: string;
  /** When to write the next one; while somebody is at it, when their lease ends. Absent while there is nothing to tell. Database time. */
  run_at?: Date;
  /** When the last one was written. */
  last_at?: Date;
  /** Changes with every lease: who holds an old one writes nothing. */
  fence: number;
  /** Grows with every transaction that adds notices, so that one that writes a digest beside it notices. */
  additions: number;
}

/** The digests of an organization that has something to tell come this far apart. */
export const PAUSE_MS = 15 * 60_000;

const digests = (db: Db) => db.collection<DigestDocument>('digests');

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

/** Takes the digest that has been due for longest; nobody else takes it for `leaseMs`. */
export async function leaseDigest(db: Db, leaseMs: number): Promise<DigestDocument | null> {
  return digests(db).findOneAndUpdate(
    { run_at: { $exists: true }, $expr: { $lte: ['$run_at', '$$NOW'] } },
    [{ $set: { run_at: { $add: ['$$NOW', leaseMs] }, fence: { $add: ['$fence', 1] } } }],
    { sort: { run_at: 1 }, returnDocument: 'after' },
  );
}

/**
 * It is written. @param more whether there is more to tell, in another one
 * @returns false when somebody else has taken it up since
 */
export async function endDigest(db: Db, { _id, fence }: DigestDocument, more: boolean, session: ClientSession): Promise<boolean> {
  const next = more ? { $add: ['$$NOW', PAUSE_MS] } : '$$REMOVE';
  const { matchedCount } = await digests(db).updateOne({ _id, fence }, [{ $set: { last_at: '$$NOW', run_at: next } }], { session });
  return matchedCount === 1;
}
