import { currentTime } from '@fanfare/runtime';
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
  const row = { ...rest, state: 'queued', run_at: new Date(0), fence: 0, attempts: 0, created_at: currentTime() } as const;
  await mails(db).updateOne({ _id }, { $setOnInsert: row }, { upsert: true, ...(session && { session }) });
}

/** A mail that this process sends now. */
export type LeasedMail = MailDocument & { readonly sealed: string };

/** Takes the mail that has been due for longest; nobody else takes it for `leaseMs`. */
export async function leaseMail(db: Db, leaseMs: number): Promise<LeasedMail | undefined> {
  const mail = await mails(db).findOneAndUpdate(
    { state: 'queued', $expr: { $lte: ['$run_at', '$$NOW'] } },
    [{ $set: { run_at: { $add: ['$$NOW', leaseMs] }, fence: { $add: ['$fence', 1] }, attempts: { $add: ['$attempts', 1] } } }],
    { sort: { run_at: 1 }, returnDocument: 'after' },
  );
  return mail ? { ...mail, sealed: mail.sealed ?? '' } : undefined;
}

/** Puts a mail whose attempt failed back, unless somebody else has taken it up since. */
export async function retryMail(db: Db, mail: LeasedMail, inMs: number, error: string): Promise<void> {
  const change = { run_at: { $add: ['$$NOW', Math.round(inMs)] }, last_error: { $literal: error } };
  await mails(db).updateOne(held(mail), [{ $set: change }]);
}

/** Its content goes; that it was there stays, so that it is not sent again. */
export async function endMail(db: Db, mail: LeasedMail, state: 'sent' | 'given_up', error?: string): Promise<void> {
  await mails(db).updateOne(held(mail), {
    $set: { state, ...(error !== undefined && { last_error: error }) },
    $unset: { sealed: '' },
    $currentDate: { ended_at: true },
  });
}

const held = ({ _id, fence }: LeasedMail) => ({ _id, fence, state: 'queued' as const });

/** For metrics, which are not to wait for a database that is away. */
export async function countQueuedMails(db: Db): Promise<number> {
  return mails(db).countDocuments({ state: 'queued' }, { timeoutMS: 1_000 });
}
