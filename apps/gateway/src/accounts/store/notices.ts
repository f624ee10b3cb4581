import type { ClientSession, Db } from 'mongodb';

/** The kinds of notices, which users can turn off. */
export const NOTICE_KINDS = ['post_failed', 'account_expired'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** A failure about which people of the organization are mailed once. */
export interface NoticeDocument {
  /** Derived from the failure, so that a repeated event adds no second notice. */
  _id: string;
  kind: NoticeKind;
  organization_id: string;
  business_id: string;
  /** The id of the post or the account. */
  subject_id: string;
  /** The actor who created the post; empty if unknown. */
  author: string;
  /** The accounts that the post failed on, and why. */
  failures: FailureDocument[];
  at: Date;
  /** When the digest that contains it was written. */
  told_at?: Date;
}

export interface FailureDocument {
  platform: string;
  /** Empty if the failure is not about one account. */
  integration_id: string;
  error_type: string;
  message: string;
}

/** Longer than the time in which an event of the same failure may be repeated. */
const KEPT_SECONDS = 30 * 24 * 60 * 60;

const notices = (db: Db) => db.collection<NoticeDocument>('notices');
const UNSENT = { told_at: { $exists: false } };

export async function createNoticeIndexes(db: Db): Promise<void> {
  await notices(db).createIndex({ organization_id: 1, told_at: 1, at: 1, _id: 1 });
  await notices(db).createIndex({ told_at: 1 }, { expireAfterSeconds: KEPT_SECONDS });
}

/** Existing notices do not change. Returns whether at least one is new. */
export async function insertNotices(db: Db, rows: readonly NoticeDocument[], session: ClientSession): Promise<boolean> {
  if (rows.length === 0) return false;
  const upserts = rows.map(({ _id, ...row }) => ({ updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true } }));
  return (await notices(db).bulkWrite(upserts, { session })).upsertedCount > 0;
}

/** The failure is solved: it is not mailed any more, and if it occurs again, there is a new notice. */
export async function deleteNotice(db: Db, id: string, session?: ClientSession): Promise<void> {
  await notices(db).deleteOne({ _id: id }, session && { session });
}

/** Oldest first. */
export async function listUnmailedNotices(db: Db, organizationId: string, limit: number): Promise<NoticeDocument[]> {
  return notices(db)
    .find({ organization_id: organizationId, ...UNSENT })
    .sort({ at: 1, _id: 1 })
    .limit(limit)
    .toArray();
}

export async function markNoticesMailed(db: Db, ids: readonly string[], session: ClientSession): Promise<void> {
  await notices(db).updateMany({ _id: { $in: [...ids] }, ...UNSENT }, { $currentDate: { told_at: true } }, { session });
}

export async function hasUnmailedNotice(db: Db, organizationId: string, session: ClientSession): Promise<boolean> {
  return (await notices(db).countDocuments({ organization_id: organizationId, ...UNSENT }, { session, limit: 1 })) > 0;
}

export async function countUnmailedNotices(db: Db): Promise<number> {
  return notices(db).countDocuments(UNSENT);
}
