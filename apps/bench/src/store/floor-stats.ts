import type { AccountStats } from '@fanfare/contracts/analytics';
import type { Db } from 'mongodb';
import { MongoClient } from 'mongodb';

type Stored = AccountStats & { _id: string };

const stats = (db: Db) => db.collection<Stored>('stats');

export const findStats = (db: Db, integrationId: string): Promise<AccountStats | null> => stats(db).findOne({ _id: integrationId });

/** Stores the same message for the baseline. */
export async function storeStats(mongoUrl: string, database: string, integrationId: string, message: AccountStats): Promise<void> {
  const client = new MongoClient(mongoUrl);
  try {
    await stats(client.db(database)).insertOne({ _id: integrationId, ...message });
  } finally {
    await client.close();
  }
}
