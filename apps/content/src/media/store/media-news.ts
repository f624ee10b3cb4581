import type { ClientSession, Db } from 'mongodb';
import type { MediaNews } from '../media-news.ts';

/** News of a media that posts are still to hear: they may be too many for the transaction that takes an event in. */
interface MediaNewsDocument {
  /** The media's id. */
  _id: string;
  business_id: string;
  organization_id: string;
  /** The media's. */
  revision: number;
  texts?: NonNullable<MediaNews['texts']>;
  facts?: NonNullable<MediaNews['facts']>;
  /** When posts are told. */
  due_at: Date;
  /** Posts up to this id have been told. */
  told_to?: string;
  /** Posts have been told once, and are told once more. */
  is_told?: true;
}

/** What was read in the library before the news, and committed after posts were told, is told now. Longer than a request takes. */
const AGAIN_AFTER_MS = 60_000;

const rows = (db: Db) => db.collection<MediaNewsDocument>('media_news');

export async function createMediaNewsIndexes(db: Db): Promise<void> {
  await rows(db).createIndex({ due_at: 1 });
}

/** Newer news take the place of older ones; older ones change nothing. */
export async function putMediaNews(
  db: Db,
  news: Omit<MediaNewsDocument, 'due_at' | 'told_to' | 'is_told'>,
  session: ClientSession,
): Promise<void> {
  const { _id, ...rest } = news;
  const known = await rows(db).findOne({ _id }, { session, projection: { revision: 1 } });
  if (known && known.revision >= news.revision) return;
  await rows(db).replaceOne({ _id }, { ...rest, due_at: new Date(0) }, { upsert: true, session });
}

export async function findDueMediaNews(db: Db): Promise<MediaNewsDocument | null> {
  return rows(db).findOne({ $expr: { $lte: ['$due_at', '$$NOW'] } }, { sort: { due_at: 1 } });
}

/** Posts up to this one have heard these news; other news come first now. */
export async function noteMediaNewsProgress(db: Db, { _id, revision }: MediaNewsDocument, postId: string): Promise<void> {
  await rows(db).updateOne({ _id, revision }, [{ $set: { told_to: postId, due_at: '$$NOW' } }]);
}

/** All posts have heard these news, unless newer ones came meanwhile. */
export async function completeMediaNews(db: Db, { _id, revision, is_told }: MediaNewsDocument): Promise<void> {
  if (is_told) await rows(db).deleteOne({ _id, revision });
  else await rows(db).updateOne({ _id, revision }, [{ $set: { is_told: true, told_to: '', due_at: { $add: ['$$NOW', AGAIN_AFTER_MS] } } }]);
}
