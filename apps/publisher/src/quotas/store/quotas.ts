import type { Quota } from '@fanfare/connectors';
import { upsert } from '@fanfare/mongo';
import type { Db, Document } from 'mongodb';
import { msUntilMayReserve } from '../domain/fair-share.ts';
import { untilRoom } from '../domain/until-room.ts';

/** What was used of a quota in its window: our app's quota, or one account's. */
export interface QuotaDocument {
  /** `youtube/videos_insert`, `instagram/posts/<the account's id there>`; with the organization, if its test clock was moved (`quotas/by-clock.ts`). */
  _id: string;
  /**
   * For an app's quota, one entry per organization and window, with the start of the window, so that it stays small; for an account's, one per delivery with its time,
   * so that it is reserved once, or one per minute. Entries older than the window are dropped by the next reservation.
   */
  spent: { key: string; at: Date; amount: number }[];
  /** The platform's own count: its limit, and what was used in addition to our own use. */
  reading?: { at: Date; elsewhere: number; limit: number; window_ms?: number };
  /** The platform rejects calls until then, whatever we count. */
  closed_until?: Date;
  /** The last request for a reservation and its result. These names are older than the glossary's terms. */
  asked: {
    at: Date;
    start: Date;
    /** Of a day. */
    end?: Date;
    limit: number;
    used: number;
    own: number;
    takers: number;
    answer: ReservationResult;
  };
}

/** The id of the copy of a quota that is counted by an organization's test clock. */
export const clockedId = (organizationId: string, id: string): string => `${id}/clock/${organizationId}`;

type ReservationResult = 'granted' | 'used_up' | 'closed' | 'read_first';

export interface ReservationRequest {
  readonly id: string;
  readonly quota: Pick<Quota, 'of' | 'window'>;
  /** The organization for an app's quota; the delivery, or the minute, for an account's. */
  readonly key: string;
  readonly amount: number;
  readonly limit: number;
  /** The limit is the platform's usual one, not set by an operator: the limit that the platform reports replaces it. */
  readonly isDefault: boolean;
  /** Nothing is granted before the platform was read within this time. */
  readonly readWithinMs?: number;
  /** The key is a minute, in which an account's quota is reserved again and again: one entry, so that many reads do not make a long list. */
  readonly isByMinute?: true;
  /** By the test clock of its organization, whose quotas are counted by it; by default the database's time. */
  readonly now?: Date | undefined;
  /** Does not wait until other servers have the reservation: if it is lost with this one, a call is not counted. */
  readonly mayBeLost?: true;
}

export type Taken =
  | { readonly result: 'granted'; readonly at: Date; readonly left: number }
  | { readonly result: 'read_first' }
  | {
      readonly result: 'used_up' | 'closed';
      readonly counted: QuotaDocument['asked'];
      /** Absent when unknown. */
      readonly waitMs?: number;
    };

/** The collection's name is older than the term quota. */
const quotas = (db: Db) => db.collection<QuotaDocument>('budgets');
/** Longer than any window: reservations drop old entries; this only deletes quotas that are no longer used. */
const KEPT_SECONDS = 7 * 24 * 3600;

export async function createQuotaIndexes(db: Db): Promise<void> {
  await quotas(db).createIndex({ 'asked.at': 1 }, { expireAfterSeconds: KEPT_SECONDS });
}

/**
 * Reserves an amount, if there is room. One update by the database's clock decides and writes it, so that replicas together never reserve more than there is.
 * What a delivery has already reserved of an account's quota is granted again without being counted twice.
 * @param now for tests, which cannot shift the database's clock
 */
export async function reserveFromQuota(db: Db, request: ReservationRequest, now: Date | '$$NOW' = request.now ?? '$$NOW'): Promise<Taken> {
  const document = await upsert(
    quotas(db),
    { _id: request.id },
    reservePipeline(request, now),
    request.mayBeLost && { writeConcern: { w: 1 } },
  );
  const { asked } = document;
  switch (asked.answer) {
    case 'granted': {
      const at = document.spent.find(({ key }) => key === request.key)?.at ?? asked.at;
      return { result: 'granted', at, left: Math.max(0, asked.limit - asked.used - request.amount) };
    }
    case 'read_first':
      return { result: 'read_first' };
    case 'closed':
      return { result: 'closed', counted: asked, waitMs: Math.max(1, (document.closed_until?.getTime() ?? 0) - asked.at.getTime()) };
    case 'used_up': {
      const waitMs = waitOf(document, request);
      return { result: 'used_up', counted: asked, ...(waitMs !== undefined && { waitMs }) };
    }
  }
}

/** Returns what was reserved: of an app's quota only while its window is the one in which it was reserved, `at`. */
export async function returnToQuota(
  db: Db,
  reservation: Pick<ReservationRequest, 'id' | 'key' | 'amount' | 'quota' | 'isByMinute'> & { readonly at: Date },
): Promise<void> {
  const { id: _id, key, amount, at, isByMinute } = reservation;
  if (isByMinute) await quotas(db).updateOne({ _id, 'spent.key': key }, { $inc: { 'spent.$.amount': -amount } });
  else if (reservation.quota.of === 'account') await quotas(db).updateOne({ _id }, { $pull: { spent: { key } } });
  else await quotas(db).updateOne({ _id, spent: { $elemMatch: { key, at } } }, { $inc: { 'spent.$.amount': -amount } });
}

/** Marks the quota as rejected by the platform for this long. @returns whether that is new */
export async function closeQuota(db: Db, id: string, forMs: number, now: Date | '$$NOW' = '$$NOW'): Promise<boolean> {
  const until = { $add: [now, Math.round(forMs)] };
  // By `_id` alone, MongoDB itself repeats an upsert whose insert meets another one.
  const before = await quotas(db).findOneAndUpdate({ _id: id }, [{ $set: { closed_until: { $max: ['$closed_until', until] } } }], {
    upsert: true,
    returnDocument: 'before',
    projection: { isNewlyClosed: { $not: [{ $gt: ['$closed_until', now] }] } },
  });
  return before === null || (before as Document)['isNewlyClosed'] === true;
}

/** Stores what the platform counts. What it counts in addition to our own use was used elsewhere. */
export async function recordReading(
  db: Db,
  id: string,
  { used, limit, windowMs }: { readonly used: number; readonly limit: number; readonly windowMs?: number },
  now: Date | '$$NOW' = '$$NOW',
): Promise<void> {
  const ours = { $sum: { $ifNull: ['$spent.amount', []] } };
  const elsewhere = { $max: [0, { $subtract: [used, ours] }] };
  const reading = {
    at: now,
    elsewhere,
    limit: { $literal: limit },
    ...(windowMs !== undefined && { window_ms: { $literal: windowMs } }),
  };
  await upsert(quotas(db), { _id: id }, [{ $set: { reading } }]);
}

/** Copies what is stored about a quota, unless it was copied before. @param key only what was used with this key */
export async function copyQuota(db: Db, id: string, copyId: string, key?: string): Promise<void> {
  const ofKey = key === undefined ? [] : [{ $set: { spent: { $filter: { input: '$spent', cond: { $eq: ['$$this.key', key] } } } } }];
  await quotas(db)
    .aggregate([
      { $match: { _id: id } },
      ...ofKey,
      { $set: { _id: { $literal: copyId } } },
      { $merge: { into: 'budgets', whenMatched: 'keepExisting', whenNotMatched: 'insert' } },
    ])
    .toArray();
}

function waitOf({ spent, reading, asked }: QuotaDocument, { quota, amount }: ReservationRequest): number | undefined {
  const { at, start, end, used, limit } = asked;
  if (end && quota.of === 'app') {
    const windowMs = end.getTime() - start.getTime();
    return msUntilMayReserve(amount, { ...asked, left: (end.getTime() - at.getTime()) / windowMs }, windowMs);
  }
  if (end) return end.getTime() - at.getTime();
  const ages = spent.map((entry) => ({ amount: entry.amount, ageMs: at.getTime() - entry.at.getTime() }));
  return untilRoom(ages, used + amount - limit, reading?.window_ms ?? at.getTime() - start.getTime());
}

/** `quotas/domain/fair-share.ts` as a database expression; a test checks that the two agree. */
function reservePipeline(
  { quota, key, amount, limit, isDefault, readWithinMs, isByMinute }: ReservationRequest,
  now: Date | '$$NOW',
): Document[] {
  const { window } = quota;
  const isShared = quota.of === 'app';
  const mine = { $filter: { input: '$spent', cond: { $eq: ['$$this.key', key] } } };
  const others = { $filter: { input: '$spent', cond: { $ne: ['$$this.key', key] } } };
  const ofClock = 'dayIn' in window ? { unit: 'day', timezone: window.dayIn } : 'everyMinute' in window && { unit: 'minute' };
  const start =
    'rollingMs' in window
      ? { $subtract: [now, { $ifNull: ['$reading.window_ms', window.rollingMs] }] }
      : { $dateTrunc: { date: now, ...ofClock } };
  const end = ofClock && { $dateAdd: { startDate: '$asked.start', amount: 1, ...ofClock } };

  const remains = { $subtract: ['$asked.limit', { $add: ['$asked.used', amount] }] };
  const left = { $divide: [{ $subtract: ['$asked.end', now] }, { $subtract: ['$asked.end', '$asked.start'] }] };
  const reserve = { $floor: { $multiply: [{ $divide: ['$asked.limit', 2] }, left] } };
  const share = { $divide: ['$asked.limit', { $add: ['$asked.takers', 1] }] };
  const isFair = { $or: [{ $lte: [{ $add: ['$asked.own', amount] }, share] }, { $gte: [remains, reserve] }] };
  const isFree = { $and: [{ $gte: [remains, 0] }, ...(isShared ? [isFair] : [])] };
  const isUnread = readWithinMs !== undefined && { $not: [{ $gt: ['$reading.at', { $subtract: [now, readWithinMs] }] }] };

  const granted = { $eq: ['$asked.answer', 'granted'] };
  const spentNow = isShared
    ? { key, at: '$asked.start', amount: { $add: ['$asked.own', { $cond: [granted, amount, 0] }] } }
    : { key, at: now, amount: isByMinute ? { $add: ['$asked.own', amount] } : amount };
  return [
    {
      $set: {
        'asked.at': now,
        'asked.start': start,
        'asked.limit': isDefault ? { $ifNull: ['$reading.limit', limit] } : { $min: [limit, '$reading.limit'] },
      },
    },
    {
      $set: {
        ...(end && { 'asked.end': end }),
        spent: { $filter: { input: { $ifNull: ['$spent', []] }, cond: { [end ? '$gte' : '$gt']: ['$$this.at', '$asked.start'] } } },
      },
    },
    {
      $set: {
        'asked.used': { $add: [{ $sum: '$spent.amount' }, { $ifNull: ['$reading.elsewhere', 0] }] },
        'asked.own': { $sum: { $map: { input: mine, in: '$$this.amount' } } },
        'asked.takers': { $size: { $setUnion: ['$spent.key', [key]] } },
      },
    },
    {
      $set: {
        'asked.answer': {
          $switch: {
            branches: [
              ...(isShared || isByMinute ? [] : [{ case: { $gt: ['$asked.own', 0] }, then: 'granted' }]),
              { case: { $gt: ['$closed_until', now] }, then: 'closed' },
              ...(isUnread ? [{ case: isUnread, then: 'read_first' }] : []),
              { case: isFree, then: 'granted' },
            ],
            default: 'used_up',
          },
        },
      },
    },
    // An organization that requests an app's quota counts among its takers, whatever the result.
    isShared
      ? { $set: { spent: { $concatArrays: [others, [spentNow]] } } }
      : {
          $set: {
            spent: isByMinute
              ? { $cond: [granted, { $concatArrays: [others, [spentNow]] }, '$spent'] }
              : { $cond: [{ $and: [granted, { $eq: ['$asked.own', 0] }] }, { $concatArrays: ['$spent', [spentNow]] }, '$spent'] },
          },
        },
  ];
}
