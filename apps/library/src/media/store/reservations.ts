import type { ClientSession, Db } from 'mongodb';
import type { Scope } from '../../scope.ts';

/**
 * Media that may not be deleted, and who needs them. A holder has one row that its events wrote, and one for each attempt to commit of which no
 * event has told yet; all of them count.
 */
interface ReservationDocument {
  /** The holder, such as `post:{id}`; of an attempt: `{holder}#{operation id}`. */
  _id: string;
  holder: string;
  organization_id: string;
  business_id: string;
  /** The holder's revision that needs them. */
  revision: number;
  media_ids: string[];
  /** From then on it counts no more, whether it is still there or not. Absent on what events wrote, unless that needs nothing any more. */
  lapses_at?: Date;
}

/** What reserves. */
interface Attempt {
  readonly holder: string;
  readonly revision: number;
  readonly operationId: string;
}

const LAPSE_MS = 3600_000;
/** What needs nothing any more is remembered as long as an older event may come late. */
const REMEMBERED_MS = 24 * 3600_000;

const reservations = (db: Db) => db.collection<ReservationDocument>('reservations');

export async function createReservationIndexes(db: Db): Promise<void> {
  await reservations(db).createIndexes([
    { key: { business_id: 1, media_ids: 1 } },
    { key: { holder: 1 } },
    { key: { lapses_at: 1 }, expireAfterSeconds: 0 },
  ]);
}

const rowOf = ({ holder, operationId }: Omit<Attempt, 'revision'>) => `${holder}#${operationId}`;

/** Reserves for an hour. The caller has made sure, in this transaction, that the media are there, by writing to them. */
export async function insertReservation(
  db: Db,
  { organizationId, businessId }: Scope,
  attempt: Attempt & { readonly mediaIds: readonly string[] },
  session: ClientSession,
): Promise<void> {
  const { holder, revision, mediaIds } = attempt;
  const row = { holder, organization_id: organizationId, business_id: businessId, revision, media_ids: [...mediaIds] };
  await reservations(db).updateOne({ _id: rowOf(attempt) }, [{ $set: { ...literal(row), lapses_at: { $add: ['$$NOW', LAPSE_MS] } } }], {
    upsert: true,
    session,
  });
}

export async function removeReservation(db: Db, scope: Scope, attempt: Omit<Attempt, 'revision'>): Promise<void> {
  await reservations(db).deleteOne({ _id: rowOf(attempt), organization_id: scope.organizationId, business_id: scope.businessId });
}

/** What is reserved for a holder. */
export interface Reserved {
  /** That of its newest event, 0 before the first. */
  readonly revision: number;
  readonly mediaIds: ReadonlySet<string>;
  /** Whether there are attempts of which no event has told yet. */
  readonly isAttempted: boolean;
}

/** What is reserved now, by holder. */
export async function findReserved(db: Db, holders: readonly string[], session: ClientSession): Promise<Map<string, Reserved>> {
  const found = await reservations(db)
    .find({ holder: { $in: [...holders] }, ...IN_FORCE }, { session })
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

/** What an event of a holder says that it needs. */
interface Confirmed extends Scope {
  readonly holder: string;
  readonly revision: number;
  readonly mediaIds: readonly string[];
  /** As it was found: without attempts there is none to remove. Those that have lapsed go by themselves. */
  readonly isAttempted: boolean;
}

/** What holders need by their events, instead of all that was reserved for them until that revision. */
export async function putConfirmed(db: Db, confirmed: readonly Confirmed[], session: ClientSession): Promise<void> {
  if (confirmed.length === 0) return;
  const writes = confirmed.flatMap(({ organizationId, businessId, holder, revision, mediaIds, isAttempted }) => {
    const row = { holder, organization_id: organizationId, business_id: businessId, revision, media_ids: [...mediaIds] };
    const lapses = mediaIds.length > 0 ? '$$REMOVE' : { $add: ['$$NOW', REMEMBERED_MS] };
    return [
      { updateOne: { filter: { _id: holder }, update: [{ $set: { ...literal(row), lapses_at: lapses } }], upsert: true } },
      ...(isAttempted ? [{ deleteMany: { filter: { holder, _id: { $ne: holder }, revision: { $lte: revision } } } }] : []),
    ];
  });
  await reservations(db).bulkWrite(writes, { session });
}

/**
 * Who needs a media, a few of them. To be asked in the transaction that marks the media deleted: reserving writes to the media too, so that one
 * of the two finds what the other did.
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
            ...IN_FORCE,
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

/** By the database's clock. What is missing would count as earlier than any time. */
const IN_FORCE = { $expr: { $gt: [{ $ifNull: ['$lapses_at', { $add: ['$$NOW', 1] }] }, '$$NOW'] } };

/** Texts that begin with a dollar sign are no expressions. */
const literal = (row: object) => Object.fromEntries(Object.entries(row).map(([field, value]) => [field, { $literal: value as unknown }]));
