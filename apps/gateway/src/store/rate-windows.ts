import { isDuplicateKey } from '@fanfare/mongo';
import type { Db } from 'mongodb';

/** How many requests a subject may make in each window. 0 is none at all. */
export interface Limits {
  readonly perMinute: number;
  readonly perDay: number;
  readonly perWeek: number;
}

/** Fixed windows, aligned to the UTC minute, the UTC day and the ISO week, which begins on Monday. The longest comes last. */
export const WINDOWS = [
  { name: 'minute', ms: 60_000, limit: 'perMinute' },
  { name: 'day', ms: 24 * 60 * 60_000, limit: 'perDay' },
  { name: 'week', ms: 7 * 24 * 60 * 60_000, limit: 'perWeek' },
] as const;

export type WindowName = (typeof WINDOWS)[number]['name'];
export type Counts = Readonly<Record<WindowName, { readonly start: Date; readonly used: number }>>;

export interface RateWindowsDocument extends Counts {
  /** `key:{id}`, `user:{id}` or `address:{ip}`. */
  _id: string;
  /** The database's clock at the last change, and what that change took. */
  at: Date;
  granted: number;
  leased: number;
  expires_at: Date;
}

/** More than this must be left in every window after permits were taken ahead of need. */
export const LEASE_FLOOR = 5_000;
/** A document that lives longer than its week counts nothing any more; the day is for clocks that differ. */
const KEPT_MS = 8 * 24 * 60 * 60_000;
const UPSERT_ATTEMPTS = 5;

const rateWindows = (db: Db) => db.collection<RateWindowsDocument>('rate_windows');

export async function createRateWindowIndexes(db: Db): Promise<void> {
  await rateWindows(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

/**
 * Takes up to `wanted` permits, as many as every window has left, and `spare` more as long as plenty is left; all windows are charged in one
 * write, or none. What it answers with is the state after that write.
 */
export async function takePermits(
  db: Db,
  subject: string,
  limits: Limits,
  { wanted, spare }: { wanted: number; spare: number },
): Promise<RateWindowsDocument> {
  const left = { $min: WINDOWS.map(({ name, limit }) => ({ $subtract: [limits[limit], `$${name}.used`] })) };
  const pipeline = [
    { $set: { at: '$$NOW', ...rolled() } },
    {
      $set: {
        granted: { $max: [0, { $min: [wanted, left] }] },
        leased: { $cond: [{ $gt: [{ $subtract: [left, wanted + spare] }, LEASE_FLOOR] }, spare, 0] },
        expires_at: { $add: ['$week.start', KEPT_MS] },
      },
    },
    { $set: each((name) => ({ used: { $add: [`$${name}.used`, '$granted', '$leased'] } })) },
  ];
  for (let attempt = 1; ; attempt++) {
    try {
      const after = await rateWindows(db).findOneAndUpdate({ _id: subject }, pipeline, { upsert: true, returnDocument: 'after' });
      if (after) return after;
    } catch (error) {
      // Two first requests of a subject at once: one of them finds the other's document when it tries again.
      if (!isDuplicateKey(error) || attempt === UPSERT_ATTEMPTS) throw error;
    }
  }
}

/** Gives back permits that were taken and not used, to those windows that have not turned since. */
export async function returnPermits(db: Db, subject: string, count: number, taken: Counts): Promise<void> {
  await rateWindows(db).updateOne({ _id: subject }, [
    {
      $set: each((name) => ({
        used: { $cond: [{ $eq: [`$${name}.start`, taken[name].start] }, { $subtract: [`$${name}.used`, count] }, `$${name}.used`] },
      })),
    },
  ]);
}

/** What is used up now; undefined when nothing is known of the subject. */
export async function readCounts(db: Db, subject: string): Promise<Counts | undefined> {
  const [found] = await rateWindows(db)
    .aggregate<Counts>([{ $match: { _id: subject } }, { $set: rolled() }])
    .toArray();
  return found;
}

/** Begins each window anew when its time has come. A clock that was set back does not: that would give out the same window twice. */
function rolled(): Record<WindowName, object> {
  return each((name) => {
    const current = { $dateTrunc: { date: '$$NOW', unit: name, startOfWeek: 'monday' } };
    return {
      start: { $max: [`$${name}.start`, current] },
      used: { $cond: [{ $gte: [`$${name}.start`, current] }, `$${name}.used`, 0] },
    };
  });
}

function each<T>(of: (name: WindowName) => T): Record<WindowName, T> {
  return { minute: of('minute'), day: of('day'), week: of('week') };
}
