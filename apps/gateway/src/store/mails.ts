import type { ClientSession, Db } from 'mongodb';

/** A mail that is to be sent, or was. */
export interface MailDocument {
  /** One mail is sent for an id, however often it is queued. */
  _id: string;
  template: string;
  /** Recipient, subject and texts, sealed for `mail:<id>`; gone once the mail is sent or given up. */
  sealed?: string;
  state: 'queued' | 'sent' | 'given_up';
  /** When to try next; while somebody is at it, when their lease ends. Database time. */
  run_at: Date;
  /** Changes with every lease: who holds an old one writes nothing. */
  fence: number;
  attempts: number;
  created_at: Date;
  ended_at?: Date;
  /** Class of the last failure. */
  last_error?: string;
}

/** A mail that ended is kept for a month, so that an id queued again meanwhile is sent once. */
const KEPT_DAYS = 30;

const mails = (db: Db) => db.collection<MailDocument>('mails');

export async function createMailIndexes(db: Db): Promise<void> {
  await mails(db).createIndex({ run_at: 1 }, { partialFilterExpression: { state: 'queued' } });
  await mails(db).createIndex({ ended_at: 1 }, { expireAfterSeconds: KEPT_DAYS * 24 * 60 * 60 });
}

/** Due at once. A mail with this id that is there already stays as it is. */
export async function insertMail(
  db: Db,
  { _id, ...rest }: Pick<MailDocument, '_id' | 'template' | 'sealed'>,
  session?: ClientSession,
): Promise<void> {
  const row = { ...rest, state: 'queued', run_at: new Date(0), fence: 0, attempts: 0, created_at: new Date() } as const;
  await mails(db).updateOne({ _id }, { $setOnInsert: row }, { upsert: true, ...(session && { session }) });
}
