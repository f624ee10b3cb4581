import { currentTime } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';

/** Stays after it was lifted: publications of that time may still be requested. */
export interface RestoreFenceDocument {
  _id: 'fence';
  /** When the backup was made. */
  since: Date;
  /** Posts that were due later cannot have been sent before the restoration. */
  until: Date;
  raised_at: Date;
  lifted_at?: Date;
}

const fences = (db: Db) => db.collection<RestoreFenceDocument>('restore_fences');
const _id = 'fence';

/**
 * So that every backup has the collection, also an empty one: a restoration replaces only collections that are in the backup. A fence that stayed would be taken for that of the same backup,
 * restored for a second time, and if it was lifted, everything would be sent again.
 */
export async function createRestoreFences(db: Db): Promise<void> {
  const [existing] = await db.listCollections({ name: 'restore_fences' }, { nameOnly: true }).toArray();
  if (!existing) await db.createCollection('restore_fences');
}

export async function findRestoreFence(db: Db, session?: ClientSession): Promise<RestoreFenceDocument | null> {
  return fences(db).findOne({ _id }, session ? { session } : {});
}

/** Replaces the fence of an earlier restoration. */
export async function putRestoreFence(
  db: Db,
  { since, until }: Pick<RestoreFenceDocument, 'since' | 'until'>,
): Promise<RestoreFenceDocument> {
  const fence = { since, until, raised_at: currentTime() };
  await fences(db).replaceOne({ _id }, fence, { upsert: true });
  return { _id, ...fence };
}

export async function liftRestoreFence(db: Db): Promise<void> {
  await fences(db).updateOne({ _id, lifted_at: { $exists: false } }, { $currentDate: { lifted_at: true } });
}
