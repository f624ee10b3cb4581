import { setTimeout as wait } from 'node:timers/promises';
import { type Collection, MongoClient } from 'mongodb';

const HOUR_MS = 3_600_000;
const POLL_MS = 100;

/** Moves the publication of all posts two hours back, once analytics has events of so many of them: their first snapshots are due. */
export const makeSnapshotsDue = (mongoUrl: string, database: string, count: number, limitMs: number): Promise<void> =>
  withPosts(mongoUrl, database, async (posts) => {
    const isPlanned = { snapshot_at: { $exists: true } };
    const end = performance.now() + limitMs;
    while ((await posts.countDocuments(isPlanned)) < count) {
      if (performance.now() > end) throw new Error(`Analytics has not received events of all posts after ${limitMs / 1000} s.`);
      await wait(POLL_MS);
    }
    await posts.updateMany(isPlanned, { $set: { published_at: new Date(Date.now() - 2 * HOUR_MS), snapshot_at: new Date(0) } });
  });

/** How many posts have a snapshot. */
export const countSnapshots = (mongoUrl: string, database: string): Promise<number> =>
  withPosts(mongoUrl, database, (posts) => posts.countDocuments({ latest: { $exists: true } }));

async function withPosts<T>(mongoUrl: string, database: string, work: (posts: Collection) => Promise<T>): Promise<T> {
  const client = new MongoClient(mongoUrl);
  try {
    return await work(client.db(database).collection('posts'));
  } finally {
    await client.close();
  }
}
