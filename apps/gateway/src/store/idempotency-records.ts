import { isDuplicateKey } from '@fanfare/mongo';
import type { Db } from 'mongodb';

/** One change that a caller may ask for again, and what came of it. */
export interface IdempotencyRecordDocument {
  /** `{scope}:{key}`. */
  _id: string;
  /** Of the request: SHA-256, hex. */
  fingerprint: string;
  /** The same for every attempt, so that the services too know a repeat. */
  operation_id: string;
  resource_id: string;
  /** Held by the process that works on it. None while nobody does. */
  lease?: { token: string; until: Date };
  /** How often somebody began. */
  attempts: number;
  /** Sealed: it may hold a secret. JSON within, because its keys may be ones that BSON or MongoDB give a meaning to. */
  answer?: string;
  /** Of a body that was streamed, and so is no part of the fingerprint. */
  digest?: string;
  created_at: Date;
  /** Checked in queries; the TTL index only cleans up. */
  expires_at: Date;
}

/** A record as it was read, and whether its lease was held at that moment. */
export type ReadRecord = IdempotencyRecordDocument & { held: boolean };

/** From the first request on. */
const KEPT_MS = 24 * 60 * 60_000;
const UPSERT_ATTEMPTS = 5;

const records = (db: Db) => db.collection<IdempotencyRecordDocument>('idempotency_records');

export async function createIdempotencyIndexes(db: Db): Promise<void> {
  await records(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

/**
 * Begins, or takes over what was begun and is neither finished nor held by anybody: then the lease in the answer has `token`. Otherwise nothing
 * is changed.
 */
export async function claimRecord(
  db: Db,
  id: string,
  first: Pick<IdempotencyRecordDocument, 'fingerprint' | 'operation_id' | 'resource_id'>,
  lease: { token: string; ms: number },
): Promise<IdempotencyRecordDocument> {
  const now = '$$NOW';
  const isNew = { $not: [{ $gt: ['$expires_at', now] }] };
  const isFree = {
    $and: [
      { $eq: ['$fingerprint', first.fingerprint] },
      { $eq: [{ $type: '$answer' }, 'missing'] },
      { $not: [{ $gt: ['$lease.until', now] }] },
    ],
  };
  const taken = { token: lease.token, until: { $add: [now, lease.ms] } };
  const begun = { _id: id, ...first, lease: taken, attempts: 1, created_at: now, expires_at: { $add: [now, KEPT_MS] } };
  const takenOver = { $mergeObjects: ['$$ROOT', { lease: taken, attempts: { $add: ['$attempts', 1] } }] };
  const pipeline = [
    {
      $replaceWith: {
        $switch: {
          branches: [
            { case: isNew, then: begun },
            { case: isFree, then: takenOver },
          ],
          default: '$$ROOT',
        },
      },
    },
  ];
  for (let attempt = 1; ; attempt++) {
    try {
      const after = await records(db).findOneAndUpdate({ _id: id }, pipeline, { upsert: true, returnDocument: 'after' });
      if (after) return after;
    } catch (error) {
      if (!isDuplicateKey(error) || attempt === UPSERT_ATTEMPTS) throw error;
    }
  }
}

export async function readRecord(db: Db, id: string): Promise<ReadRecord | null> {
  return records(db).findOne<ReadRecord>(
    { _id: id, $expr: { $gt: ['$expires_at', '$$NOW'] } },
    { projection: { fingerprint: 1, answer: 1, digest: 1, attempts: 1, held: { $gt: ['$lease.until', '$$NOW'] } } },
  );
}

/** Answers with false when the lease was lost: somebody else has the record now. */
export async function renewLease(db: Db, id: string, lease: { token: string; ms: number }): Promise<boolean> {
  const { matchedCount } = await records(db).updateOne({ _id: id, 'lease.token': lease.token }, [
    { $set: { 'lease.until': { $add: ['$$NOW', lease.ms] } } },
  ]);
  return matchedCount === 1;
}

/** Keeps the answer, unless the lease was lost; then answers with false. */
export async function completeRecord(
  db: Db,
  id: string,
  token: string,
  kept: Pick<IdempotencyRecordDocument, 'answer' | 'digest'>,
): Promise<boolean> {
  const { matchedCount } = await records(db).updateOne({ _id: id, 'lease.token': token }, { $set: kept, $unset: { lease: 1 } });
  return matchedCount === 1;
}

/** Lets the next repeat try again at once, with the same ids. */
export async function releaseRecord(db: Db, id: string, token: string): Promise<void> {
  await records(db).updateOne({ _id: id, 'lease.token': token }, { $unset: { lease: 1 } });
}
