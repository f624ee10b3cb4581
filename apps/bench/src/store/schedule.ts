import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '@fanfare/runtime';
import { type Db, MongoClient } from 'mongodb';

interface Post {
  _id: string;
  organization_id: string;
  business_id: string;
  caption: string;
  created_at: Date;
  scheduled_publish_time?: Date;
  next_due_at?: Date;
}

interface Store {
  readonly mongoUrl: string;
  readonly namespace: string;
}

const BATCH = 5_000;
const POLL_MS = 50;
const DAY_MS = 86_400_000;
/** Each has one business. */
const ORGANIZATIONS = 1_000;

/**
 * Copies a scheduled post until so many posts of other organizations are scheduled: with calls a million would take an hour. Their times are spread over
 * a year that begins tomorrow.
 * @param from how many copies exist already
 */
export const fillSchedule = (store: Store, postId: string, from: number, to: number): Promise<void> =>
  withContent(store, async (db) => {
    const posts = db.collection<Post>('posts');
    const first = await posts.findOne({ _id: postId });
    if (!first) throw new Error(`There is no post ${postId} to copy.`);
    const owners = Array.from({ length: ORGANIZATIONS }, () => ({ organization_id: newId(), business_id: newId() }));
    const tomorrow = Date.now() + DAY_MS;
    for (let made = from; made < to; made += BATCH) {
      const copies = Array.from({ length: Math.min(BATCH, to - made) }, (_, at): Post => {
        const dueAt = new Date(tomorrow + Math.floor(Math.random() * 365 * DAY_MS));
        const owner = owners[(made + at) % ORGANIZATIONS];
        return { ...first, ...owner, _id: newId(), created_at: new Date(), scheduled_publish_time: dueAt, next_due_at: dueAt };
      });
      await posts.insertMany(copies, { ordered: false });
    }
  });

/** Waits until none of these posts waits for its time any longer. @throws Error if that takes too long */
export const untilClaimed = (store: Store, ids: readonly string[], limitMs: number): Promise<void> =>
  withContent(store, async (db) => {
    const end = performance.now() + limitMs;
    const waiting = { _id: { $in: [...ids] }, next_due_at: { $exists: true } };
    while ((await db.collection<Post>('posts').countDocuments(waiting)) > 0) {
      if (performance.now() > end) throw new Error(`Due posts were not claimed within ${limitMs / 1000} s.`);
      await wait(POLL_MS);
    }
  });

/** What the queries for due posts read while something is done. */
export interface DueQueries {
  readonly queries: number;
  readonly keys: number;
  readonly documents: number;
}

export const dueQueriesOf = (store: Store, work: () => Promise<unknown>): Promise<DueQueries> =>
  withContent(store, async (db) => {
    await db.command({ profile: 2 });
    try {
      await work();
    } finally {
      await db.command({ profile: 0 });
    }
    const found = await db
      .collection('system.profile')
      .aggregate<DueQueries>([
        {
          $match: { 'command.find': 'posts', 'command.filter.next_due_at': { $exists: true }, 'command.filter.status': { $exists: true } },
        },
        {
          $group: { _id: null, queries: { $sum: 1 }, keys: { $sum: '$keysExamined' }, documents: { $sum: '$docsExamined' } },
        },
      ])
      .toArray();
    await db.collection('system.profile').drop();
    return found[0] ?? { queries: 0, keys: 0, documents: 0 };
  });

async function withContent<T>({ mongoUrl, namespace }: Store, work: (db: Db) => Promise<T>): Promise<T> {
  const client = new MongoClient(mongoUrl);
  try {
    return await work(client.db(`${namespace}_content`));
  } finally {
    await client.close();
  }
}
