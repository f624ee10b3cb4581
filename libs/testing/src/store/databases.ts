import { MongoClient, type Db } from 'mongodb';
import type { UsedDatabase } from '../infrastructure.ts';

/** Deleting more documents takes longer than creating the collections and their indexes again. */
const MOST_DOCUMENTS = 2_000;
const MIGRATIONS = 'migrations';

/**
 * Deletes the documents of databases that are left to later files, and keeps the collections, the indexes, and the list of applied migrations without
 * those that insert documents. Drops the other databases, and those that have too many documents or that a test has profiled.
 * @returns those that are empty and not dropped
 */
export async function emptyDatabases(mongoUrl: string, databases: readonly UsedDatabase[]): Promise<UsedDatabase[]> {
  const client = await MongoClient.connect(mongoUrl);
  try {
    const empty = await Promise.all(databases.map((used) => emptyDatabase(client.db(used.name), used)));
    return databases.filter((_, at) => empty[at]);
  } finally {
    await client.close();
  }
}

/** Drops all databases whose names begin so. */
export async function dropDatabases(mongoUrl: string, prefix: string): Promise<void> {
  const client = await MongoClient.connect(mongoUrl);
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    for (const { name } of databases) if (name.startsWith(prefix)) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}

/** @returns false if it was dropped */
async function emptyDatabase(db: Db, { seeds, isLeft }: UsedDatabase): Promise<boolean> {
  if (!isLeft) {
    await db.dropDatabase();
    return false;
  }
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
