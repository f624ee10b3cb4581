import { MongoClient } from 'mongodb';

/** How many write transactions MongoDB has committed since it started. */
export async function committedTransactions(mongoUrl: string): Promise<number> {
  const client = new MongoClient(mongoUrl);
  try {
    const { transactions } = (await client.db('admin').command({ serverStatus: 1 })) as {
      transactions: { totalCommitted: number | bigint };
    };
    return Number(transactions.totalCommitted);
  } finally {
    await client.close();
  }
}
