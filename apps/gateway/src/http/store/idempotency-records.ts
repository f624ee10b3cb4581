import { upsert } from '@fanfare/mongo';
import { aheadMs, currentMs, grouped, onePer } from '@fanfare/runtime';
import { MongoBulkWriteError, type Db, type Document } from 'mongodb';

/** A request that may be repeated, and its outcome. */
export interface IdempotencyRecordDocument {
  /** `{scope}:{key}`. */
  _id: string;
  /** SHA-256 of the request, in hex. */
  fingerprint: string;
  /** The same for every attempt, so that services recognize a repeat. */
  operation_id: string;
  resource_id: string;
  /** The lease of the process that works on it; absent while none does. */
  lease?: { token: string; until: Date };
  /** How many times work was begun. */
  attempts: number;
  /** The outcome, sealed because it may contain a secret. JSON, because BSON or MongoDB could interpret its keys. */
  answer?: string;
  /** The token of the lease under which the outcome was written. Absent in rows of older versions. */
  kept_by?: string;
  /** The digest of a streamed body, which is not part of the fingerprint. */
  digest?: string;
  created_at: Date;
  /** By the clock of the organization. Checked in queries; the TTL index only cleans up. */
  expires_at: Date;
}

/** A record, and whether its lease was valid when it was read. */
type ReadRecord = IdempotencyRecordDocument & { leased: boolean };

/** From the first request. */
const RETENTION_MS = 24 * 60 * 60_000;
const DUPLICATE_KEY = 11_000;

const records = (db: Db) => db.collection<IdempotencyRecordDocument>('idempotency_records');

export async function createIdempotencyIndexes(db: Db): Promise<void> {
  await records(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

/** How far the test clock of the record's organization is ahead; 0 if its scope is a user. */
const aheadOf = (id: string): number => aheadMs(id.slice(0, id.indexOf(':')));
const nowOf = (id: string): Document => ({ $add: ['$$NOW', aheadOf(id)] });

/** Deletes the records of an organization that have expired by its clock. The TTL index goes by real time. */
export async function deleteExpiredRecords(db: Db, organizationId: string): Promise<void> {
  const own = { $gte: `${organizationId}:`, $lt: `${organizationId};` };
  await records(db).deleteMany({ _id: own, $expr: { $lte: ['$expires_at', { $add: ['$$NOW', aheadMs(organizationId)] }] } });
}

/** What a claim writes. */
interface Claim {
  readonly id: string;
  readonly first: Pick<IdempotencyRecordDocument, 'fingerprint' | 'operation_id' | 'resource_id'>;
  readonly lease: { readonly token: string; readonly ms: number };
}

/**
 * Inserts a record, or takes over one that is not finished and has no valid lease: then the lease of the result has `token`. Otherwise nothing
 * changes. Claims that arrive while others are being written are written together.
 */
export const claimRecord = (db: Db, id: string, first: Claim['first'], lease: Claim['lease']): Promise<ClaimedRecord> =>
  claimer(db)({ id, first, lease });

/** The fields of a record after the claim that its claimant needs. */
export type ClaimedRecord = Pick<
  IdempotencyRecordDocument,
  '_id' | 'fingerprint' | 'operation_id' | 'resource_id' | 'attempts' | 'answer' | 'digest'
> & {
  readonly lease?: { readonly token: string };
};

const MOST_TOGETHER = 64;
const claimer = onePer((db: Db) =>
  grouped<Claim, ClaimedRecord>({ most: MOST_TOGETHER, keyOf: ({ id }) => id, work: (all) => claimTogether(db, all) }),
);

/** Most claims are new and are inserted together; those whose record already exists are claimed one by one. */
async function claimTogether(db: Db, claims: readonly Claim[]): Promise<PromiseSettledResult<ClaimedRecord>[]> {
  const at = currentMs();
  const begun = claims.map(({ id, first, lease: { token, ms } }) => ({
    _id: id,
    ...first,
    lease: { token, until: new Date(at + ms) },
    attempts: 1,
    created_at: new Date(at),
    expires_at: new Date(at + aheadOf(id) + RETENTION_MS),
  }));
  const there = await insertNew(db, begun);
  return Promise.allSettled(claims.map(async (one, index) => (there.has(index) ? claimAlone(db, one) : (begun[index] as ClaimedRecord))));
}

/** Returns the indexes of documents that already exist. */
async function insertNew(db: Db, documents: readonly IdempotencyRecordDocument[]): Promise<ReadonlySet<number>> {
  try {
    await records(db).insertMany(documents, { ordered: false });
    return new Set();
  } catch (error) {
    const rejected = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
    if (rejected.length === 0 || rejected.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return new Set(rejected.map(({ index }) => index));
  }
}

const claimAlone = (db: Db, claim: Claim): Promise<ClaimedRecord> => upsert(records(db), { _id: claim.id }, claiming(claim));

function claiming({ id, first, lease }: Claim): Document[] {
  const now = '$$NOW';
  const isNew = { $not: [{ $gt: ['$expires_at', nowOf(id)] }] };
  const isFree = {
    $and: [
      { $eq: ['$fingerprint', first.fingerprint] },
      { $eq: [{ $type: '$answer' }, 'missing'] },
      { $not: [{ $gt: ['$lease.until', now] }] },
    ],
  };
  const taken = { token: lease.token, until: { $add: [now, lease.ms] } };
  const begun = {
    _id: { $literal: id },
    ...first,
    lease: taken,
    attempts: 1,
    created_at: now,
    expires_at: { $add: [nowOf(id), RETENTION_MS] },
  };
  const takenOver = { $mergeObjects: ['$$ROOT', { lease: taken, attempts: { $add: ['$attempts', 1] } }] };
  const branches = [
    { case: isNew, then: begun },
    { case: isFree, then: takenOver },
  ];
  return [{ $replaceWith: { $switch: { branches, default: '$$ROOT' } } }];
}

export async function readRecord(db: Db, id: string): Promise<ReadRecord | null> {
  return records(db).findOne<ReadRecord>(
    { _id: id, $expr: { $gt: ['$expires_at', nowOf(id)] } },
    { projection: { fingerprint: 1, answer: 1, digest: 1, attempts: 1, leased: { $gt: ['$lease.until', '$$NOW'] } } },
  );
}

/** Returns false when the lease was lost to another process. */
export async function renewLease(db: Db, id: string, lease: { token: string; ms: number }): Promise<boolean> {
  const { matchedCount } = await records(db).updateOne({ _id: id, 'lease.token': lease.token }, [
    { $set: { 'lease.until': { $add: ['$$NOW', lease.ms] } } },
  ]);
  return matchedCount === 1;
}

/** The outcome to store. */
interface Completion {
  readonly id: string;
  readonly token: string;
  readonly kept: Pick<IdempotencyRecordDocument, 'answer' | 'digest'>;
}

/** Stores the outcome; returns false when the lease was lost. Outcomes that arrive while others are being written are written together. */
export const completeRecord = (db: Db, id: string, token: string, kept: Completion['kept']): Promise<boolean> =>
  completer(db)({ id, token, kept });

const completer = onePer((db: Db) =>
  grouped<Completion, boolean>({ most: MOST_TOGETHER, keyOf: ({ id }) => id, work: (all) => completeTogether(db, all) }),
);

async function completeTogether(db: Db, all: readonly Completion[]): Promise<PromiseSettledResult<boolean>[]> {
  const updates = all.map(({ id, token, kept }) => ({
    updateOne: { filter: { _id: id, 'lease.token': token }, update: { $set: { ...kept, kept_by: token }, $unset: { lease: 1 as const } } },
  }));
  const { matchedCount } = await records(db).bulkWrite(updates, { ordered: false });
  const kept = matchedCount === all.length ? undefined : await keptBy(db, all);
  return all.map(({ id, token }) => ({ status: 'fulfilled', value: kept === undefined || kept.get(id) === token }));
}

/** The lease under which each outcome was stored, to find out which leases were lost. */
async function keptBy(db: Db, all: readonly Completion[]): Promise<Map<string, string | undefined>> {
  const ids = all.map(({ id }) => id);
  const found = await records(db)
    .find({ _id: { $in: ids } }, { projection: { kept_by: 1 } })
    .toArray();
  return new Map(found.map(({ _id, kept_by }) => [_id, kept_by]));
}

/** Ends the lease, so that the next repeat can run the work at once, with the same ids. */
export async function releaseRecord(db: Db, id: string, token: string): Promise<void> {
  await records(db).updateOne({ _id: id, 'lease.token': token }, { $unset: { lease: 1 } });
}
