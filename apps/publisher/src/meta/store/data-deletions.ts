import { currentTime } from '@fanfare/runtime';
import type { DataDeletion } from '@fanfare/contracts/publisher';
import type { ClientSession, Db } from 'mongodb';

/** Confirms that a person's data was erased. Nothing in it identifies the person. */
export interface DataDeletionDocument {
  /** The confirmation code. */
  _id: string;
  requested_at: Date;
  completed_at: Date;
}

const deletions = (db: Db) => db.collection<DataDeletionDocument>('data_deletions');

/** Written in the transaction that erases. A repeated request keeps its code. */
export async function putDataDeletion(db: Db, code: string, session: ClientSession): Promise<DataDeletionDocument> {
  const now = currentTime();
  const document = await deletions(db).findOneAndUpdate(
    { _id: code },
    { $set: { requested_at: now, completed_at: now } },
    { upsert: true, returnDocument: 'after', session },
  );
  if (!document) throw new Error('An upsert returned no document.');
  return document;
}

export async function findDataDeletion(db: Db, code: string): Promise<DataDeletionDocument | null> {
  return deletions(db).findOne({ _id: code });
}

export const toDataDeletion = ({ _id, requested_at, completed_at }: DataDeletionDocument): DataDeletion => ({
  confirmationCode: _id,
  requestedAt: requested_at,
  completedAt: completed_at,
});
