import { currentTime } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';

/** An event of an organization whose test clock was moved. Before the clock moves on, all consumers have to have handled it. */
export interface NotedEvent {
  readonly id: string;
  readonly topic: string;
}

interface NotedEventDocument {
  /** The event's id. */
  _id: string;
  organization_id: string;
  topic: string;
  noted_at: Date;
}

const noted = (db: Db) => db.collection<NotedEventDocument>('test_clock_events');

/** Events are handled within seconds. A clock that is moved much later does not need those from before. */
const KEPT_SECONDS = 15 * 60;

export async function createNotedEventIndexes(db: Db): Promise<void> {
  await noted(db).createIndex({ organization_id: 1 });
  await noted(db).createIndex({ noted_at: 1 }, { expireAfterSeconds: KEPT_SECONDS });
}

/** Notes events in the transaction that writes them into the outbox. */
export async function noteEvents(
  db: Db,
  events: readonly (NotedEvent & { readonly organizationId: string })[],
  session: ClientSession,
): Promise<void> {
  const noted_at = currentTime();
  await noted(db).insertMany(
    events.map(({ id: _id, topic, organizationId: organization_id }) => ({ _id, organization_id, topic, noted_at })),
    { session },
  );
}

/** At most so many are read together. */
const MOST_NOTED = 500;

/** Events of an organization that were noted and not forgotten. */
export async function listNotedEvents(db: Db, organizationId: string): Promise<NotedEvent[]> {
  const found = await noted(db).find({ organization_id: organizationId }).limit(MOST_NOTED).toArray();
  return found.map(({ _id: id, topic }) => ({ id, topic }));
}

/** All consumers have handled them. */
export async function forgetEvents(db: Db, organizationId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await noted(db).deleteMany({ organization_id: organizationId, _id: { $in: [...ids] } });
}
