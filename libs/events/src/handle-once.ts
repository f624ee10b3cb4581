import type { Db, MongoClient } from 'mongodb';
import type { Received } from './cloud-event.ts';
import { AlreadyHandled, findInInbox, insertIntoInbox, noteInInbox } from './store/inbox-rows.ts';
import type { FindErased, Subscription } from './subscription.ts';

/** How many events had their effect now, how many had it before, and how many have none here. */
export interface Handled {
  readonly handled: number;
  readonly duplicates: number;
  readonly ignored: number;
}

/**
 * A transaction of several events conflicts with other writes more often than one of a single event: after this many attempts each is handled by
 * itself.
 */
const MAX_ATTEMPTS_TOGETHER = 3;

/**
 * Handles the events that were not handled before: their inbox rows and all writes of the handler are one transaction. Events of erased businesses and
 * organizations have no effect, however late they arrive.
 * @param followsClocks whether test clocks wait until this service has seen an event
 * @throws the error of the handler or the database; then none of them had an effect
 */
export async function handleOnce(
  { client, db }: { client: MongoClient; db: Db },
  group: string,
  { handle, concerns }: Subscription,
  findErased: FindErased,
  received: readonly Received<unknown>[],
  followsClocks = false,
): Promise<Handled> {
  const concerning = received.filter(({ data }) => concerns(data));
  const [known, erased] =
    concerning.length === 0
      ? [new Set<string>(), new Set<string>()]
      : await Promise.all([
          findInInbox(
            db,
            group,
            concerning.map(({ id }) => id),
          ),
          findErased([...new Set(concerning.flatMap(({ organizationId, businessId }) => [organizationId, businessId]))]),
        ]);
  const events = concerning.filter(({ organizationId, businessId }) => !erased.has(organizationId) && !erased.has(businessId));
  const ignored = received.length - events.length;
  // A test clock moves on when everybody has seen the events, also those who do nothing for them.
  const ignoredByClock = ignored === 0 || !followsClocks ? [] : received.filter((event) => event.clockMs > 0 && !events.includes(event));
  if (ignoredByClock.length > 0) {
    await noteInInbox(
      db,
      group,
      ignoredByClock.map(({ id }) => id),
    );
  }
  if (events.length === 0) return { handled: 0, duplicates: 0, ignored };
  // A relay that died sends its events again, perhaps right after the first time.
  const fresh = [...new Map(events.filter(({ id }) => !known.has(id)).map((event) => [event.id, event])).values()];
  if (fresh.length === 0) return { handled: 0, duplicates: events.length, ignored };
  const ids = fresh.map(({ id }) => id);
  let attempts = 0;
  try {
    await client.withSession((session) =>
      session.withTransaction(
        async () => {
          if (fresh.length > 1 && ++attempts > MAX_ATTEMPTS_TOGETHER)
            throw new Error('Every attempt conflicted with another write to the same rows.');
          await insertIntoInbox(db, group, ids, session);
          await handle(fresh, session);
        },
        { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } },
      ),
    );
  } catch (error) {
    if (error instanceof AlreadyHandled && fresh.length === 1) return { handled: 0, duplicates: events.length, ignored };
    throw error;
  }
  return { handled: fresh.length, duplicates: events.length - fresh.length, ignored };
}
