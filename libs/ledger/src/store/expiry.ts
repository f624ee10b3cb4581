import type { Db } from 'mongodb';

const TTL_INDEX = 'expiry';

/** Sets how long documents are kept after they were inserted. */
export async function expireAfter(db: Db, name: 'ledger' | 'ledger_anchors', seconds: number): Promise<void> {
  const collection = db.collection(name);
  // Creating an index that exists with other options fails.
  const found = (await collection.indexes().catch(noneYet)).find((index) => index.name === TTL_INDEX);
  if (!found) await collection.createIndex({ recorded_at: 1 }, { name: TTL_INDEX, expireAfterSeconds: seconds });
  else if (Number(found.expireAfterSeconds) !== seconds) {
    await db.command({ collMod: name, index: { name: TTL_INDEX, expireAfterSeconds: seconds } });
  }
}

/** The collection does not exist. */
function noneYet(error: unknown): [] {
  if ((error as { codeName?: string }).codeName === 'NamespaceNotFound') return [];
  throw error;
}
