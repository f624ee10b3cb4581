import { currentTime } from '@fanfare/runtime';
import { MongoServerError, type ClientSession, type Db } from 'mongodb';

interface InboxRow {
  /** `{group}:{event id}` */
  _id: string;
  handled_at: Date;
}

/** Much longer than Kafka keeps a message, so that a replay of the whole topic changes nothing. */
const KEPT_SECONDS = 30 * 24 * 3600;

const rows = (db: Db) => db.collection<InboxRow>('inbox');

export async function createInboxIndexes(db: Db): Promise<void> {
  await rows(db).createIndex({ handled_at: 1 }, { expireAfterSeconds: KEPT_SECONDS });
}

/** The events that were handled before. */
export async function findInInbox(db: Db, group: string, eventIds: readonly string[]): Promise<Set<string>> {
  const ids = eventIds.map((id) => rowId(group, id));
  const found = await rows(db)
    .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
    .toArray();
  return new Set(found.map(({ _id }) => _id.slice(group.length + 1)));
}

/** The first write of a transaction that handles events. @throws AlreadyHandled if one of them was handled before */
export async function insertIntoInbox(db: Db, group: string, eventIds: readonly string[], session: ClientSession): Promise<void> {
  const handled_at = currentTime();
  try {
    await rows(db).insertMany(
      eventIds.map((id) => ({ _id: rowId(group, id), handled_at })),
      { session },
    );
  } catch (error) {
    if (error instanceof MongoServerError && error.code === 11000) throw new AlreadyHandled();
    throw error;
  }
}

/** Marks events that the service ignores. Needed only to show that it has seen them. */
export async function noteInInbox(db: Db, group: string, eventIds: readonly string[]): Promise<void> {
  const handled_at = currentTime();
  const rowsOf = eventIds.map((id) => ({
    updateOne: { filter: { _id: rowId(group, id) }, update: { $setOnInsert: { handled_at } }, upsert: true },
  }));
  await rows(db).bulkWrite(rowsOf, { ordered: false });
}

const rowId = (group: string, eventId: string) => `${group}:${eventId}`;

/** The event is in the inbox: its effects are committed. */
export class AlreadyHandled extends Error {}
