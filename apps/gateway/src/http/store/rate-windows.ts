import { upsert } from '@fanfare/mongo';
import type { Db } from 'mongodb';

/** How many requests a subject may make in each window; 0 means none. */
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
type Counted = { readonly start: Date; readonly used: number; readonly keys?: Readonly<Record<string, number>> };
/** The counts of an organization: `keys` is the share of each key in `used`. The windows of all subjects begin at the same times. */
export type SharedCounts = Readonly<Record<WindowName, Counted>>;
export type Counts = Readonly<Record<WindowName, { readonly start: Date; readonly used: number }>>;

/** A key of the counted organization, with its own limits. */
export interface KeyShare {
  readonly id: string;
  readonly limits: Limits;
}

export interface RateWindowsDocument extends SharedCounts {
  /** `organization:{id}` (all its keys), `user:{id}` or `address:{ip}`. */
  _id: string;
  /** The database's clock at the last change, and the permits granted and prefetched (`leased`) by it. */
  at: Date;
  granted: number;
  leased: number;
  expires_at: Date;
}

/** Permits are prefetched only if more than this is left in every window afterwards. */
const PREFETCH_FLOOR = 5_000;
/** A document is obsolete after its week; the extra day allows for clocks that differ. */
const RETENTION_MS = 8 * 24 * 60 * 60_000;

/** No request waits until other servers have its count: if the primary is lost just then, a few requests are not counted. */
const rateWindows = (db: Db) =>
  db.collection<RateWindowsDocument>('rate_windows', { writeConcern: { w: 1 }, readConcern: { level: 'local' } });

export async function createRateWindowIndexes(db: Db): Promise<void> {
  await rateWindows(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

/**
 * Takes up to `wanted` permits, as many as every window has left, and `spare` more if plenty is left. All windows are charged in one write, or
 * none. Returns the state after that write.
 * @param key the key, if the subject is an organization: the key's windows are checked and charged too
 */
export async function takePermits(
  db: Db,
  subject: string,
  limits: Limits,
  { wanted, spare, key }: { wanted: number; spare: number; key?: KeyShare | undefined },
): Promise<RateWindowsDocument> {
  const left = {
    $min: WINDOWS.flatMap(({ name, limit }) => [
      { $subtract: [limits[limit], `$${name}.used`] },
      ...(key ? [{ $subtract: [key.limits[limit], usedBy(key, name)] }] : []),
    ]),
  };
  const taken = { $add: ['$granted', '$leased'] };
  const pipeline = [
    { $set: { at: '$$NOW', ...rolled() } },
    {
      $set: {
        granted: { $max: [0, { $min: [wanted, left] }] },
        leased: { $cond: [{ $gt: [{ $subtract: [left, wanted + spare] }, PREFETCH_FLOOR] }, spare, 0] },
        expires_at: { $add: ['$week.start', RETENTION_MS] },
      },
    },
    {
      $set: each((name) => ({
        used: { $add: [`$${name}.used`, taken] },
        ...(key && { keys: { [key.id]: { $add: [usedBy(key, name), taken] } } }),
      })),
    },
  ];
  return upsert(rateWindows(db), { _id: subject }, pipeline);
}

const usedBy = ({ id }: Pick<KeyShare, 'id'>, name: WindowName) => ({ $ifNull: [`$${name}.keys.${id}`, 0] });

/** Returns unused permits to the windows that have not reset since. */
export async function returnPermits(
  db: Db,
  subject: string,
  { count, taken, key }: { count: number; taken: Counts; key?: Pick<KeyShare, 'id'> | undefined },
): Promise<void> {
  const less = (name: WindowName, used: unknown) => ({
    $cond: [{ $eq: [`$${name}.start`, taken[name].start] }, { $subtract: [used, count] }, used],
  });
  await rateWindows(db).updateOne({ _id: subject }, [
    { $set: each((name) => ({ used: less(name, `$${name}.used`), ...(key && { keys: { [key.id]: less(name, usedBy(key, name)) } }) })) },
  ]);
}

/** The current counts; undefined when the subject has no document. */
export async function readCounts(db: Db, subject: string): Promise<SharedCounts | undefined> {
  const [found] = await rateWindows(db)
    .aggregate<SharedCounts>([{ $match: { _id: subject } }, { $set: rolled() }])
    .toArray();
  return found;
}

/** The share of one key in the counts of an organization. */
export const countsOf = (counts: SharedCounts, { id }: Pick<KeyShare, 'id'>): Counts =>
  each((name) => ({ start: counts[name].start, used: counts[name].keys?.[id] ?? 0 }));

/** A migration: keys used to have documents of their own. After an interruption it continues where it stopped. */
export async function countKeysByOrganization(db: Db): Promise<void> {
  const keys = db.collection<{ _id: string; organization_id: string }>('api_keys');
  for await (const { _id, ...counts } of rateWindows(db).find({ _id: /^key:/ })) {
    const id = _id.slice('key:'.length);
    const key = await keys.findOne({ _id: id });
    if (key) await adopt(db, `organization:${key.organization_id}`, id, counts);
    await rateWindows(db).deleteOne({ _id });
  }
}

/** Adds the counts of a key in the current windows to those of its organization, unless they were added before. */
async function adopt(db: Db, subject: string, id: string, counts: Counts): Promise<void> {
  const current = (name: WindowName) => ({
    $and: [{ $eq: [`$${name}.start`, counts[name].start] }, { $eq: [{ $type: `$${name}.keys.${id}` }, 'missing'] }],
  });
  const moved = (name: WindowName) => ({ $cond: [current(name), counts[name].used, 0] });
  await rateWindows(db).updateOne(
    { _id: subject },
    [
      { $set: { at: '$$NOW', granted: 0, leased: 0, ...rolled() } },
      { $set: { expires_at: { $add: ['$week.start', RETENTION_MS] }, moved: each(moved) } },
      {
        $set: each((name) => ({
          used: { $add: [`$${name}.used`, `$moved.${name}`] },
          keys: { [id]: { $add: [usedBy({ id }, name), `$moved.${name}`] } },
        })),
      },
      { $unset: 'moved' },
    ],
    { upsert: true },
  );
}

/** Resets each window when its time is over. A clock that was set back does not reset it: that would grant the same window twice. */
function rolled(): Record<WindowName, object> {
  return each((name) => {
    const current = { $dateTrunc: { date: '$$NOW', unit: name, startOfWeek: 'monday' } };
    const isCurrent = { $gte: [`$${name}.start`, current] };
    return {
      start: { $max: [`$${name}.start`, current] },
      used: { $cond: [isCurrent, `$${name}.used`, 0] },
      keys: { $cond: [isCurrent, `$${name}.keys`, '$$REMOVE'] },
    };
  });
}

function each<T>(of: (name: WindowName) => T): Record<WindowName, T> {
  return { minute: of('minute'), day: of('day'), week: of('week') };
}
