import { leasedRows, type LeasedRow } from '@fanfare/leased-work';
import type { ClientSession, Db } from 'mongodb';

/** A queued transcription. Deleted when it has ended, successfully or not. Its id is that of the media. */
export interface TranscriptionDocument extends LeasedRow {
  organization_id: string;
  /** When it is due, or when its lease ends. */
  due_at: Date;
}

const transcriptions = (db: Db) => db.collection<TranscriptionDocument>('transcriptions');

export const transcriptionRows = leasedRows<TranscriptionDocument>({ of: transcriptions, due: 'due_at', countsAttempts: true });

export async function createTranscriptionIndexes(db: Db): Promise<void> {
  await transcriptions(db).createIndex({ due_at: 1 });
}

export async function insertTranscription(db: Db, mediaId: string, organizationId: string, session: ClientSession): Promise<void> {
  await transcriptions(db).insertOne({ _id: mediaId, organization_id: organizationId, due_at: new Date(0), attempts: 0 }, { session });
}
