import { literals } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';
import type { Scope } from '../../scope.ts';

/**
 * Media that a holder, such as a post, needs, so that they cannot be deleted. A holder has one row from its events, and one for each attempt to commit
 * for which no event has arrived yet. All rows count.
 */
interface ReservationDocument {
  /** The holder, such as `post:{id}`; for an attempt: `{holder}#{operation id}`. */
  _id: string;
  holder: string;
  organization_id: string;
  business_id: string;
  /** The revision of the holder that needs the media. */
  revision: number;
  media_ids: string[];
  /** When the reservation expires, whether or not the row was deleted. A row from an event has it only if the holder needs no media any more. */
  lapses_at?: Date;
}

/** An attempt to commit something that needs media. */
interface Attempt {
  readonly holder: string;
  readonly revision: number;
  readonly operationId: string;
}

const ATTEMPT_MS = 3600_000;
/** The row of a holder that needs no media is kept as long as an older event may arrive late. */
const EMPTY_KEPT_MS = 24 * 3600_000;

const reservations = (db: Db) => db.collection<ReservationDocument>('reservations');

export async function createReservationIndexes(db: Db): Promise<void> {
  await reservations(db).createIndexes([
    { key: { business_id: 1, media_ids: 1 } },
    { key: { holder: 1 } },
    { key: { lapses_at: 1 }, expireAfterSeconds: 0 },
  ]);
}

const rowOf = ({ holder, operationId }: Omit<Attempt, 'revision'>) => `${holder}#${operationId}`;

/** Reserves media for an hour. The caller must have checked in this transaction that they exist, by `touchMedia`. */
export async function insertReservation(
  db: Db,
  { organizationId, businessId }: Scope,
  attempt: Attempt & { readonly mediaIds: readonly string[] },
  session: ClientSession,
): Promise<void> {
  const { holder, revision, mediaIds } = attempt;
  const row = { holder, organization_id: organizationId, business_id: businessId, revision, media_ids: [...mediaIds] };
  await reservations(db).updateOne({ _id: rowOf(attempt) }, [{ $set: { ...literals(row), lapses_at: { $add: ['$$NOW', ATTEMPT_MS] } } }], {
    upsert: true,
    session,
  });
}

export async function removeReservation(db: Db, scope: Scope, attempt: Omit<Attempt, 'revision'>): Promise<void> {
  await reservations(db).deleteOne({ _id: rowOf(attempt), organization_id: scope.organizationId, business_id: scope.businessId });
}

/** The reservation of a holder. */
export interface Reserved {
  /** The revision of its newest event; 0 before the first one. */
  readonly revision: number;
  readonly mediaIds: ReadonlySet<string>;
  /** Whether there are attempts for which no event has arrived yet. */
  readonly isAttempted: boolean;
}

/** The current reservations, by holder. */
export async function findReserved(db: Db, holders: readonly string[], session: ClientSession): Promise<Map<string, Reserved>> {
  const found = await reservations(db)
    .find({ holder: { $in: [...holders] }, ...NOT_EXPIRED }, { session })
    .toArray();
  return new Map(
    [...Map.groupBy(found, ({ holder }) => holder)].map(([holder, rows]) => [
      holder,
      {
        revision: rows.find(({ _id }) => _id === holder)?.revision ?? 0,
        mediaIds: new Set(rows.flatMap((row) => row.media_ids)),
        isAttempted: rows.some(({ _id }) => _id !== holder),
      },
    ]),
  );
}

/** What a holder needs, from its event. */
interface Confirmed extends Scope {
  readonly holder: string;
  readonly revision: number;
  readonly mediaIds: readonly string[];
  /** From `findReserved`: whether there may be attempts to delete. Expired ones are deleted by the TTL index. */
  readonly isAttempted: boolean;
}

/** Stores what holders need, from their events. Replaces everything that was reserved for them up to that revision. */
export async function putConfirmed(db: Db, confirmed: readonly Confirmed[], session: ClientSession): Promise<void> {
  if (confirmed.length === 0) return;
  const writes = confirmed.flatMap(({ organizationId, businessId, holder, revision, mediaIds, isAttempted }) => {
    const row = { holder, organization_id: organizationId, business_id: businessId, revision, media_ids: [...mediaIds] };
    const expiry = mediaIds.length > 0 ? '$$REMOVE' : { $add: ['$$NOW', EMPTY_KEPT_MS] };
    return [
      { updateOne: { filter: { _id: holder }, update: [{ $set: { ...literals(row), lapses_at: expiry } }], upsert: true } },
      ...(isAttempted ? [{ deleteMany: { filter: { holder, _id: { $ne: holder }, revision: { $lte: revision } } } }] : []),
    ];
  });
  await reservations(db).bulkWrite(writes, { session });
}

/**
 * The holders that need a media, at most ten. Must be called in the transaction that marks the media as deleted: a concurrent reservation writes to the
 * media too, so that the two transactions conflict, and the retried one sees the result of the other.
 */
export async function holdersOf(db: Db, scope: Scope, mediaId: string, session: ClientSession): Promise<string[]> {
  const holders = await reservations(db)
    .aggregate<{ _id: string }>(
      [
        {
          $match: {
            business_id: scope.businessId,
            media_ids: mediaId,
            organization_id: scope.organizationId,
            ...NOT_EXPIRED,
          },
        },
        { $group: { _id: '$holder' } },
        { $sort: { _id: 1 } },
        { $limit: 10 },
      ],
      { session },
    )
    .toArray();
  return holders.map(({ _id }) => _id);
}

/** By the database's clock. A missing date would compare as earlier than any date. */
const NOT_EXPIRED = { $expr: { $gt: [{ $ifNull: ['$lapses_at', { $add: ['$$NOW', 1] }] }, '$$NOW'] } };
