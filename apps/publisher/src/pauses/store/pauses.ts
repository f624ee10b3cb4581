import { currentTime } from '@fanfare/runtime';
import type { Pause } from '@fanfare/contracts/publisher';
import type { Db } from 'mongodb';
import { pausedBy, type Paused } from '../domain/paused.ts';

/** A pause of all deliveries, or of those of one platform, organization or account. */
export interface PauseDocument {
  /** Derived from what it pauses, so that there is one pause for each. */
  _id: string;
  platform?: string;
  organization_id?: string;
  integration_id?: string;
  reason: string;
  created_at: Date;
}

/** The pause of everything after a backup was restored. It ends with the restore fence, or by its id. */
export const RESTORE_PAUSE = 'restore-fence';

const pauses = (db: Db) => db.collection<PauseDocument>('pauses');

export async function putPause(db: Db, { _id, ...rest }: Omit<PauseDocument, 'created_at'>): Promise<PauseDocument> {
  const document = await pauses(db).findOneAndUpdate(
    { _id },
    { $set: rest, $setOnInsert: { created_at: currentTime() } },
    { upsert: true, returnDocument: 'after' },
  );
  if (!document) throw new Error('An upsert returned no document.');
  return document;
}

/** @returns whether it existed */
export async function deletePause(db: Db, id: string): Promise<boolean> {
  return (await pauses(db).deleteOne({ _id: id })).deletedCount === 1;
}

export async function listPauses(db: Db): Promise<PauseDocument[]> {
  return pauses(db).find().sort({ created_at: 1 }).toArray();
}

export function toPause({ _id, platform, organization_id, integration_id, reason, created_at }: PauseDocument): Pause {
  return { id: _id, platform, organizationId: organization_id, integrationId: integration_id, reason, createdAt: created_at };
}

export const findPaused = async (db: Db): Promise<Paused> => pausedBy(await listPauses(db));
