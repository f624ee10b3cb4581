import type { Db, Document, MongoClient } from 'mongodb';

/** What a backup has: all documents of some databases at one moment. */
export interface DatabaseCopy {
  /** By the database's clock. */
  readonly takenAt: Date;
  /** Replaces what the databases have. */
  restore(): Promise<void>;
}

/** Copies databases at one moment, whatever is written meanwhile. */
export async function copyDatabases(client: MongoClient, names: readonly string[]): Promise<DatabaseCopy> {
  const dbs = names.map((name) => client.db(name));
  const collections = (await Promise.all(dbs.map(async (db) => (await namesIn(db)).map((name) => ({ db, name }))))).flat();
  const session = client.startSession({ snapshot: true });
  const copies: { readonly db: Db; readonly name: string; readonly rows: Document[] }[] = [];
  let takenAt: Date;
  try {
    // A snapshot session reads at the time of its first read, and one after the other.
    takenAt = (await client.db('admin').command({ hello: 1 }))['localTime'] as Date;
    for (const { db, name } of collections) copies.push({ db, name, rows: await db.collection(name).find({}, { session }).toArray() });
  } finally {
    await session.endSession();
  }
  return {
    takenAt,
    async restore() {
      for (const db of dbs) await Promise.all((await namesIn(db)).map((name) => db.collection(name).deleteMany({})));
      for (const { db, name, rows } of copies) if (rows.length > 0) await db.collection(name).insertMany(rows);
    },
  };
}

const namesIn = async (db: Db): Promise<string[]> =>
  (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).filter((name) => !name.startsWith('system.'));
