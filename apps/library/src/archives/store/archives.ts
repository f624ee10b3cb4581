import { erasedSince, type Erased } from '@fanfare/erasure';
import type { ClientSession, Db } from 'mongodb';

/** The archive of an export: everything of an organization, which only its owners may have. It counts in no storage limit. */
export interface ArchiveDocument {
  _id: string;
  organization_id: string;
  blob_id: string;
  /** Hex. */
  sha256: string;
  size_bytes: number;
  mime_type: 'application/zip';
  /** When its first byte arrived. */
  begun_at: Date;
  created_at: Date;
  expires_at: Date;
}

const archives = (db: Db) => db.collection<ArchiveDocument>('archives');

export async function createArchiveIndexes(db: Db): Promise<void> {
  await archives(db).createIndex({ expires_at: 1 });
  await archives(db).createIndex({ organization_id: 1 });
}

/** @throws MongoServerError (duplicate key of `_id`) if it was stored by another process in the meantime */
export async function insertArchive(db: Db, archive: ArchiveDocument, session: ClientSession): Promise<void> {
  await archives(db).insertOne(archive, { session });
}

/** Null if there is none, or if it has expired. */
export async function findArchive(db: Db, organizationId: string, id: string): Promise<ArchiveDocument | null> {
  return archives(db).findOne({ _id: id, organization_id: organizationId, ...LIVE });
}

/** Not scoped by an owner: only for URLs whose signature was verified. */
export async function findSignedArchive(db: Db, id: string): Promise<ArchiveDocument | null> {
  return archives(db).findOne({ _id: id, ...LIVE });
}

const LIVE = { $expr: { $gt: ['$expires_at', '$$NOW'] } };

export async function findExpiredArchives(db: Db, limit: number): Promise<ArchiveDocument[]> {
  // Reads only the oldest rows, by the index. A filter by time alone would scan rows that are not due.
  const oldest = await archives(db).find().sort({ expires_at: 1 }).limit(limit).toArray();
  const ids = oldest.map(({ _id }) => _id);
  return archives(db)
    .find({ _id: { $in: ids }, $expr: { $lte: ['$expires_at', '$$NOW'] } })
    .toArray();
}

/** Of the organization, if only a business of it is erased too: each has data of all its businesses. Those that were begun after that do not. */
export async function findErasedArchives(db: Db, erased: Erased, limit: number): Promise<ArchiveDocument[]> {
  const { organizationId, wholeOrganization } = erased;
  const begun = wholeOrganization ? {} : { begun_at: { $lt: await erasedSince(db, erased) } };
  return archives(db)
    .find({ organization_id: organizationId, ...begun })
    .limit(limit)
    .toArray();
}

/** @returns false if it was deleted before */
export async function deleteArchive(db: Db, id: string, session: ClientSession): Promise<boolean> {
  return (await archives(db).deleteOne({ _id: id }, { session })).deletedCount === 1;
}
