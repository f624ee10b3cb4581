import type { ClientSession, Db } from 'mongodb';
import type { Publication } from '../domain/publication.ts';

/** A publication whose deliveries depend on each other. A transaction that decides what they may do writes it, so that two of them conflict. */
export interface PublicationDocument extends Publication {
  _id: string;
  organization_id: string;
  created_at: Date;
}

const publications = (db: Db) => db.collection<PublicationDocument>('publications');

/** As long as a publication may be requested again (`deploy/docs/erasure-and-retention.md`): by then its deliveries have ended. */
const KEPT_SECONDS = 35 * 24 * 3600;

export async function createPublicationIndexes(db: Db): Promise<void> {
  await publications(db).createIndex({ created_at: 1 }, { expireAfterSeconds: KEPT_SECONDS });
}

/** Those that exist stay unchanged: the publication was requested before. */
export async function insertPublications(db: Db, documents: readonly PublicationDocument[], session: ClientSession): Promise<void> {
  if (documents.length === 0) return;
  const inserts = documents.map(({ _id, ...rest }) => ({ updateOne: { filter: { _id }, update: { $setOnInsert: rest }, upsert: true } }));
  await publications(db).bulkWrite(inserts, { session });
}

export const findPublication = (db: Db, id: string, session?: ClientSession): Promise<PublicationDocument | null> =>
  publications(db).findOne({ _id: id }, session ? { session } : {});

export async function replacePublication(db: Db, { _id, ...rest }: PublicationDocument, session: ClientSession): Promise<void> {
  await publications(db).replaceOne({ _id }, rest, { session });
}
