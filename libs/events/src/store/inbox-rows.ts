import { MongoServerError, type ClientSession, type Db } from 'mongodb';

interface InboxRow {
  /** `{group}:{event id}` */
  _id: string;
  handled_at: Date;
}

/** Far longer than Kafka keeps a message, so that a replay of the whole topic changes nothing. */
const KEPT_SECONDS = 30 * 24 * 3600;

const rows = (db: Db) => db.collection<InboxRow>('inbox');

export async function createInboxIndexes(db: Db): Promise<void> {
  await rows(db).createIndex({ handled_at: 1 }, { expireAfterSeconds: KEPT_SECONDS });
}

/** Whether the event was handled before. */
export async function isInInbox(db: Db, group: string, eventId: string): Promise<boolean> {
  return (await rows(db).findOne({ _id: `${group}:${eventId}` }, { projection: { _id: 1 } })) !== null;
}

/** The first write of a handler's transaction. Fails with a duplicate key when the event was handled before. */
export async function insertIntoInbox(db: Db, group: string, eventId: string, session: ClientSession): Promise<void> {
  try {
    await rows(db).insertOne({ _id: `${group}:${eventId}`, handled_at: new Date() }, { session });
  } catch (error) {
    if (error instanceof MongoServerError && error.code === 11000) throw new AlreadyHandled();
    throw error;
  }
}

/** The event is in the inbox: its effects are committed. */
export class AlreadyHandled extends Error {}
