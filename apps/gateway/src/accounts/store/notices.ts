import type { ClientSession, Db } from 'mongodb';

/** What people can be mailed about, and switch off. */
export const NOTICE_KINDS = ['post_failed', 'account_expired'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Something that failed, and that people of the organization are to be told once. */
export interface NoticeDocument {
  /** What failed, so that an event that comes again makes no second one. */
  _id: string;
  kind: NoticeKind;
  organization_id: string;
  business_id: string;
  /** The post, or the account. */
  subject_id: string;
  /** Actor who created the post; empty when nobody knows. */
  author: string;
  /** Where a post did not go, and why. */
  failures: FailureDocument[];
  at: Date;
  /** Since when the digest that tells of it is written. */
  told_at?: Date;
}

export interface FailureDocument {
  platform: string;
  /** Empty where it is of no account. */
  integration_id: string;
  error_type: string;
  message: string;
}

/** Longer than an event of the same failure may come again. */
const KEPT_SECONDS = 30 * 24 * 60 * 60;

const notices = (db: Db) => db.collection<NoticeDocument>('notices');
const UNTOLD = { told_at: { $exists: false } };

export async function createNoticeIndexes(db: Db): Promise<void> {
  await notices(db).createIndex({ organization_id: 1, told_at: 1, at: 1, _id: 1 });
  await notices(db).createIndex({ told_at: 1 }, { expireAfterSeconds: KEPT_SECONDS });
}

/** Those that are there already stay as they are. Returns whether one is new. */
export async function insertNotices(db: Db, rows: readonly NoticeDocument[], session: ClientSession): Promise<boolean> {
  if (rows.length === 0) return false;
  const upserts = rows.map(({ _id, ...row }) => ({ updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true } }));
  return (await notices(db).bulkWrite(upserts, { session })).upsertedCount > 0;
}

/** What it told of is over: it is told no more, and when it comes again it is news. */
export async function deleteNotice(db: Db, id: string, session?: ClientSession): Promise<void> {
  await notices(db).deleteOne({ _id: id }, session && { session });
}

/** Oldest first. */
export async function listUntoldNotices(db: Db, organizationId: string, limit: number): Promise<NoticeDocument[]> {
  return notices(db)
    .find({ organization_id: organizationId, ...UNTOLD })
    .sort({ at: 1, _id: 1 })
    .limit(limit)
    .toArray();
}

export async function markNoticesTold(db: Db, ids: readonly string[], session: ClientSession): Promise<void> {
  await notices(db).updateMany({ _id: { $in: [...ids] }, ...UNTOLD }, { $currentDate: { told_at: true } }, { session });
}

export async function hasUntoldNotice(db: Db, organizationId: string, session: ClientSession): Promise<boolean> {
  return (await notices(db).countDocuments({ organization_id: organizationId, ...UNTOLD }, { session, limit: 1 })) > 0;
}

/** For metrics, which are not to wait for a database that is away. */
export async function countUntoldNotices(db: Db): Promise<number> {
  return notices(db).countDocuments(UNTOLD, { timeoutMS: 1_000 });
}
