import { upsert } from '@fanfare/mongo';
import type { Db } from 'mongodb';

/** The attempts at something that must be slow, such as guessing a password. */
interface ThrottleDocument {
  _id: string;
  tries: number;
  /** No attempt is permitted before this. Database time. */
  closed_until: Date;
  /** Whether the last attempt was permitted. */
  is_open: boolean;
  expires_at: Date;
}

export interface ThrottleRule {
  /** Attempts without a delay. */
  readonly free: number;
  /** The delay after the last free attempt; it doubles with each further one. */
  readonly delayMs: number;
  readonly maxDelayMs: number;
  /** Attempts are forgotten if there was none for this time. */
  readonly forgetMs: number;
}

const throttles = (db: Db) => db.collection<ThrottleDocument>('throttles');

export async function createThrottleIndexes(db: Db): Promise<void> {
  await throttles(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

/**
 * Counts an attempt before it is made: concurrent attempts get no advantage over successive ones.
 * @returns how long to wait; 0 if the attempt is permitted
 */
export async function countAttempt(db: Db, id: string, rule: ThrottleRule): Promise<number> {
  const { free, delayMs, maxDelayMs, forgetMs } = rule;
  const isForgotten = { $lte: [{ $ifNull: ['$expires_at', new Date(0)] }, '$$NOW'] };
  const delay = { $min: [maxDelayMs, { $multiply: [delayMs, { $pow: [2, { $min: [{ $subtract: ['$tries', free] }, 30] }] }] }] };
  const change = [
    { $set: { tries: { $cond: [isForgotten, 0, '$tries'] }, closed_until: { $cond: [isForgotten, new Date(0), '$closed_until'] } } },
    { $set: { is_open: { $lte: ['$closed_until', '$$NOW'] } } },
    { $set: { tries: { $add: ['$tries', { $cond: ['$is_open', 1, 0] }] } } },
    {
      $set: {
        closed_until: {
          $cond: [{ $and: ['$is_open', { $gte: ['$tries', free] }] }, { $add: ['$$NOW', { $toLong: delay }] }, '$closed_until'],
        },
        expires_at: { $cond: ['$is_open', { $add: ['$$NOW', forgetMs] }, '$expires_at'] },
        asked_at: '$$NOW',
      },
    },
  ];
  const { is_open, closed_until, asked_at } = (await upsert(throttles(db), { _id: id }, change)) as ThrottleDocument & { asked_at: Date };
  return is_open ? 0 : Math.max(1, closed_until.getTime() - asked_at.getTime());
}

/** Uncounts an attempt, with the delay that it caused. */
export async function uncountAttempt(db: Db, id: string): Promise<void> {
  await throttles(db).updateOne({ _id: id }, [{ $set: { tries: { $max: [0, { $subtract: ['$tries', 1] }] }, closed_until: new Date(0) } }]);
}

export async function forgetAttempts(db: Db, id: string): Promise<void> {
  await throttles(db).deleteOne({ _id: id });
}
