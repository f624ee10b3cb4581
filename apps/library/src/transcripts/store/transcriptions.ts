import type { ClientSession, Db } from 'mongodb';
import { newId } from '@fanfare/runtime';

/** A media whose words are to be asked for; gone when that has ended, whatever the end. Its id is the media's. */
export interface TranscriptionDocument {
  _id: string;
  organization_id: string;
  /** Not before this. Whoever works at it puts it off. */
  due_at: Date;
  lease?: string;
  attempts: number;
}

const transcriptions = (db: Db) => db.collection<TranscriptionDocument>('transcriptions');

export async function createTranscriptionIndexes(db: Db): Promise<void> {
  await transcriptions(db).createIndex({ due_at: 1 });
}

export async function insertTranscription(db: Db, mediaId: string, organizationId: string, session: ClientSession): Promise<void> {
  await transcriptions(db).insertOne({ _id: mediaId, organization_id: organizationId, due_at: new Date(0), attempts: 0 }, { session });
}

/** Takes one that is due, for so long. */
export async function leaseTranscription(db: Db, leaseMs: number): Promise<TranscriptionDocument | null> {
  const taken = { due_at: { $add: ['$$NOW', leaseMs] }, lease: newId(), attempts: { $add: ['$attempts', 1] } };
  return transcriptions(db).findOneAndUpdate({ $expr: { $lte: ['$due_at', '$$NOW'] } }, [{ $set: taken }], {
    sort: { due_at: 1 },
    returnDocument: 'after',
  });
}

/** Answers with false when somebody else has it by now. */
export async function renewTranscription(db: Db, row: TranscriptionDocument, leaseMs: number): Promise<boolean> {
  const { matchedCount } = await transcriptions(db).updateOne(held(row), [{ $set: { due_at: { $add: ['$$NOW', leaseMs] } } }]);
  return matchedCount === 1;
}

/** Lets somebody try it again. */
export async function postponeTranscription(db: Db, row: TranscriptionDocument, inMs: number, countsAsAttempt: boolean): Promise<void> {
  const attempts = countsAsAttempt ? row.attempts : row.attempts - 1;
  await transcriptions(db).updateOne(held(row), [{ $set: { due_at: { $add: ['$$NOW', inMs] }, attempts } }, { $unset: 'lease' }]);
}

/** Answers with false when somebody else has it by now. */
export async function endTranscription(db: Db, row: TranscriptionDocument, session?: ClientSession): Promise<boolean> {
  const { deletedCount } = await transcriptions(db).deleteOne(held(row), session ? { session } : {});
  return deletedCount === 1;
}

const held = ({ _id, lease }: TranscriptionDocument) => ({ _id, lease: lease ?? 'nobody' });
