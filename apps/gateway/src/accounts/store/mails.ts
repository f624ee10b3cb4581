import { leasedRows, type LeasedRow } from '@fanfare/leased-work';
import { currentTime } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';

/** A queued or sent mail. For each id one mail is sent, even if it is queued several times. */
export interface MailDocument extends LeasedRow {
  template: string;
  /** Recipient, subject and texts, encrypted for `mail:<id>`; absent once the mail is sent or given up. */
  sealed?: string;
  state: 'queued' | 'sent' | 'given_up';
  /** When to send it; while a process sends it, the end of its lease. Database time. */
  run_at: Date;
  created_at: Date;
  ended_at?: Date;
  /** The kind of the last failure. */
  last_error?: string;
}

/** Kept for a month after the end, so that an id that is queued again is not sent again. */
const KEPT_DAYS = 30;

const mails = (db: Db) => db.collection<MailDocument>('mails');

export const mailRows = leasedRows<MailDocument>({ of: mails, due: 'run_at', open: { state: 'queued' }, countsAttempts: true });

export async function createMailIndexes(db: Db): Promise<void> {
  await mails(db).createIndex({ run_at: 1 }, { partialFilterExpression: { state: 'queued' } });
  await mails(db).createIndex({ ended_at: 1 }, { expireAfterSeconds: KEPT_DAYS * 24 * 60 * 60 });
}

/** Due immediately. An existing mail with this id does not change. */
export async function insertMail(
  db: Db,
  { _id, ...rest }: Pick<MailDocument, '_id' | 'template' | 'sealed'>,
  session?: ClientSession,
): Promise<void> {
  const row = { ...rest, state: 'queued', run_at: new Date(0), fence: 0, attempts: 0, created_at: currentTime() } as const;
  await mails(db).updateOne({ _id }, { $setOnInsert: row }, { upsert: true, ...(session && { session }) });
  mailRows.wakeWorkers(db, session);
}

/** Deletes the content. The row stays, so that the mail is not sent again. @throws LeaseLost */
export async function endMail(db: Db, row: MailDocument, state: 'sent' | 'given_up', error?: string): Promise<void> {
  const ended = { state, ended_at: '$$NOW', ...(error !== undefined && { last_error: { $literal: error } }) };
  await mailRows.write(db, { row, pipeline: [{ $set: ended }, { $unset: ['sealed'] }] });
}

export async function countQueuedMails(db: Db): Promise<number> {
  return mails(db).countDocuments({ state: 'queued' });
}
