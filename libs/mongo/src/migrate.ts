import { newId } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { enterRelease, RELEASES, type ReleaseDocument } from './releases.ts';
import { isDuplicateKey } from './transaction.ts';

/** A change of a database. It may be interrupted at any point and run again, and the previous version of the service must still work after it. */
export interface Migration {
  /** Numbered: 0001-posts-indexes. */
  readonly id: string;
  up(db: Db): Promise<void>;
}

interface MigrationDocument {
  _id: string;
  applied_at?: Date;
  lock_until?: Date;
  /** The run of `migrate` that acquired the lock last. Absent in locks of older versions. */
  locked_by?: string;
}

const LOCK = 'lock';
const LOCK_MS = 60_000;
const POLL_MS = 200;

/**
 * Applies all pending migrations, in order. Replicas that start at the same time wait for the one that has the lock.
 * @param options.serves false for a process that only migrates
 * @returns the ids of those that this call applied
 * @throws DowngradeError before it changes anything, if a version has migrated the database that is more than one version newer than this one
 */
export async function migrate(
  db: Db,
  migrations: readonly Migration[],
  { releases = RELEASES, serves = true }: { releases?: readonly string[]; serves?: boolean } = {},
): Promise<string[]> {
  await enterRelease(db.collection<ReleaseDocument>('migrations'), { releases, serves });
  const applied: string[] = [];
  const collection = db.collection<MigrationDocument>('migrations');
  const ours = { _id: LOCK, locked_by: newId() };
  const pending = async () => {
    const known = new Set((await collection.find({ applied_at: { $exists: true } }).toArray()).map(({ _id }) => _id));
    return migrations.filter(({ id }) => !known.has(id));
  };

  while ((await pending()).length > 0) {
    if (!(await lock())) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      continue;
    }
    const renewal = setInterval(() => void renew().catch(() => undefined), LOCK_MS / 3);
    try {
      for (const migration of await pending()) {
        // A process that was suspended until its lock expired must acquire it again first.
        if (!(await renew())) break;
        await migration.up(db); // If the process crashes here, the next one runs the migration again.
        await collection.updateOne({ _id: migration.id }, { $currentDate: { applied_at: true } }, { upsert: true });
        applied.push(migration.id);
      }
    } finally {
      clearInterval(renewal);
      await collection.deleteOne(ours);
    }
  }
  return applied;

  async function lock(): Promise<boolean> {
    try {
      await collection.insertOne({ _id: LOCK, lock_until: new Date(0) });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const expired = { _id: LOCK, $expr: { $lte: ['$lock_until', '$$NOW'] } };
    const { modifiedCount } = await collection.updateOne(expired, [
      { $set: { lock_until: { $add: ['$$NOW', LOCK_MS] }, locked_by: ours.locked_by } },
    ]);
    return modifiedCount === 1;
  }

  /** Returns false if another process has the lock. */
  async function renew(): Promise<boolean> {
    const { matchedCount } = await collection.updateOne(ours, [{ $set: { lock_until: { $add: ['$$NOW', LOCK_MS] } } }]);
    return matchedCount === 1;
  }
}
