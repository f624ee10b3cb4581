import { newId } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { isDuplicateKey } from './transaction.ts';

/** One step of a database's history. It may be cut short at any point and run again, and the version before it must still work after it. */
export interface Migration {
  /** Numbered: 0001-posts-indexes. */
  readonly id: string;
  up(db: Db): Promise<void>;
}

interface MigrationDocument {
  _id: string;
  applied_at?: Date;
  lock_until?: Date;
  /** Who took the lock last. Absent in locks that an older version took. */
  locked_by?: string;
}

const LOCK = 'lock';
const LOCK_MS = 60_000;
const POLL_MS = 200;

/** Applies what has not been applied yet, in order. Replicas that start at once wait for the one that holds the lock. */
export async function migrate(db: Db, migrations: readonly Migration[]): Promise<void> {
  const collection = db.collection<MigrationDocument>('migrations');
  const ours = { _id: LOCK, locked_by: newId() };
  const pending = async () => {
    const applied = new Set((await collection.find({ applied_at: { $exists: true } }).toArray()).map(({ _id }) => _id));
    return migrations.filter(({ id }) => !applied.has(id));
  };

  while ((await pending()).length > 0) {
    if (!(await lock())) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      continue;
    }
    const renewal = setInterval(() => void renew().catch(() => undefined), LOCK_MS / 3);
    try {
      for (const migration of await pending()) {
        // A process that was suspended beyond its lock goes on only after it has the lock again.
        if (!(await renew())) break;
        await migration.up(db); // May be cut short by a crash: the next process runs it again.
        await collection.updateOne({ _id: migration.id }, { $currentDate: { applied_at: true } }, { upsert: true });
      }
    } finally {
      clearInterval(renewal);
      await collection.deleteOne(ours);
    }
  }

  async function lock(): Promise<boolean> {
    try {
      await collection.insertOne({ _id: LOCK, lock_until: new Date(0) });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const free = { _id: LOCK, $expr: { $lte: ['$lock_until', '$$NOW'] } };
    const { modifiedCount } = await collection.updateOne(free, [
      { $set: { lock_until: { $add: ['$$NOW', LOCK_MS] }, locked_by: ours.locked_by } },
    ]);
    return modifiedCount === 1;
  }

  /** Returns false when another process has the lock. */
  async function renew(): Promise<boolean> {
    const { matchedCount } = await collection.updateOne(ours, [{ $set: { lock_until: { $add: ['$$NOW', LOCK_MS] } } }]);
    return matchedCount === 1;
  }
}
