import { leasedRows, type LeasedRow } from '@fanfare/leased-work';
import { currentTime } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';

/** A mail that is to be sent, or was. One is sent for an id, however often it is queued. */
export interface MailDocument extends LeasedRow {
  template: string;
  /** Recipient, subject and texts, sealed for `mail:<id>`; gone once the mail is sent or given up. */
  sealed?: string;
  state: 'queued' | 'sent' | 'given_up';
  /** When to try next; while a process sends it, when its lease ends. Database time. */
  run_at: Date;
  created_at: Date;
  ended_at?: Date;
  /** Class of the last failure. */
  last_error?: string;
}

/** A mail that ended is kept for a month, so that an id queued again meanwhile is sent once. */
const KEPT_DAYS = 30;

const mails = (db: Db) => db.collection<MailDocument>('mails');

export const mailRows = leasedRows<MailDocument>({ of: mails, due: 'run_at', open: { state: 'queued' }, countsAttempts: true });

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
  const row = { ...rest, state: 'queued', run_at: new Date(0), fence: 0, attempts: 0, created_at: currentTime() } as const;
  await mails(db).updateOne({ _id }, { $setOnInsert: row }, { upsert: true, ...(session && { session }) });
}

/** Its content goes; that it was there stays, so that it is not sent again. @throws LeaseLost */
export async function endMail(db: Db, row: MailDocument, state: 'sent' | 'given_up', error?: string): Promise<void> {
  const ended = { state, ended_at: '$$NOW', ...(error !== undefined && { last_error: { $literal: error } }) };
  await mailRows.write(db, { row, pipeline: [{ $set: ended }, { $unset: ['sealed'] }] });
}

/** For metrics, which are not to wait for a database that is away. */
export async function countQueuedMails(db: Db): Promise<number> {
  return mails(db).countDocuments({ state: 'queued' }, { timeoutMS: 1_000 });
}
