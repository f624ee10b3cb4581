import { MongoClient, type Db } from 'mongodb';

/** Deleting more documents takes longer than creating the collections and their indexes again. */
const MOST_DOCUMENTS = 2_000;
const MIGRATIONS = 'migrations';

interface Used {
  readonly name: string;
  /** Migrations that insert documents. */
  readonly seeds: readonly string[];
}

/**
 * Deletes the documents of databases that no process uses any more, and keeps the collections, the indexes, and the list of applied migrations without
 * those that insert documents. Drops databases that have too many documents, or that a test has profiled.
 * @returns the names of those that are empty and not dropped
 */
export async function emptyDatabases(mongoUrl: string, databases: readonly Used[]): Promise<string[]> {
  const client = await MongoClient.connect(mongoUrl);
  try {
    const empty = await Promise.all(databases.map(async ({ name, seeds }) => (await emptyDatabase(client.db(name), seeds)) && name));
    return empty.filter((name) => name !== false);
  } finally {
    await client.close();
  }
}

/** @returns false if it was dropped */
async function emptyDatabase(db: Db, seeds: readonly string[]): Promise<boolean> {
  const [collections, { objects }] = await Promise.all([db.listCollections({}, { nameOnly: true }).toArray(), db.stats()]);
  const names = collections.map(({ name }) => name);
  if (!names.includes(MIGRATIONS) || names.includes('system.profile') || objects > MOST_DOCUMENTS) {
    await db.dropDatabase();
    return false;
  }
  const again = { _id: { $in: [...seeds] as never[] } };
  await Promise.all(names.map((name) => db.collection(name).deleteMany(name === MIGRATIONS ? again : {})));
  return true;
}
