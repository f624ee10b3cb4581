import { isDeepStrictEqual } from 'node:util';
import { isOptIn } from '@fanfare/resources';
import { newId, now } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { names } from '../endpoints/selects.ts';
import { listEndpoints } from '../endpoints/store/endpoints.ts';
import { queueDeliveries } from '../deliveries/queue-deliveries.ts';
import { KEPT_MS } from '../kept.ts';
import type { EventDocument, NewEvent } from './event.ts';
import { insertEvents } from './store/events.ts';
import { takeSequences } from './store/sequences.ts';
import { findSnapshots, putSnapshots, type SnapshotDocument } from './store/snapshots.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Appends events to the feeds of their organizations, and their deliveries to the endpoints, in the caller's transaction. Those of one organization keep
 * their order.
 */
export async function appendEvents(
  context: Pick<Context, 'db' | 'markQueued'>,
  session: ClientSession,
  all: readonly NewEvent[],
): Promise<void> {
  const { db } = context;
  const remembered = all.filter((event) => event.remembered !== 'not').map(({ resource_id }) => resource_id);
  const known = remembered.length > 0 ? await findSnapshots(db, [...new Set(remembered)], session) : new Map<string, SnapshotDocument>();
  const changed = new Map<string, SnapshotDocument>();
  const events = all.flatMap((event) => {
    const before = changed.get(event.resource_id) ?? known.get(event.resource_id);
    const storedAt = now(event.organization_id);
    const made = eventsOf(event, before, storedAt);
    // An event that arrives late must not replace a newer state.
    if (made.length > 0 && event.remembered !== 'not' && (!before || before.revision <= event.revision))
      changed.set(event.resource_id, snapshotOf(event, storedAt));
    return made;
  });
  const endpoints =
    events.length > 0 ? await listEndpoints(db, [...new Set(events.map(({ organization_id }) => organization_id))], session) : [];
  const wanted = events.filter((event) => !isOptIn(event.type) || endpoints.some((endpoint) => names(endpoint, event)));
  if (wanted.length === 0) return;
  const documents: EventDocument[] = [];
  for (const [organizationId, own] of Map.groupBy(wanted, ({ organization_id }) => organization_id)) {
    const first = await takeSequences(db, organizationId, own.length, session);
    documents.push(...own.map((event, index) => ({ ...event, sequence: first + index })));
  }
  await putSnapshots(db, [...changed.values()], session);
  await insertEvents(db, documents, session);
  await queueDeliveries(context, endpoints, documents, session);
}

function eventsOf(
  { types, data, remembered: _, ...event }: NewEvent,
  before: SnapshotDocument | undefined,
  stored_at: Date,
): Omit<EventDocument, 'sequence'>[] {
  const former = before && before.revision <= event.revision ? (JSON.parse(before.data) as Json) : undefined;
  const text = JSON.stringify(data);
  const previous = former && previousOf(former, JSON.parse(text) as Json);
  return types(former).map((type) => ({ _id: newId(), type, ...event, data: text, ...(previous && { previous }), stored_at }));
}

/** Changes with every revision, which says nothing. */
const IGNORED = new Set(['updated_at']);

/** The former values of the fields that have changed; undefined if there are none. */
function previousOf(former: Json, data: Json): string | undefined {
  const changed = Object.entries(former).filter(([field, value]) => !IGNORED.has(field) && !isDeepStrictEqual(value, data[field]));
  return changed.length === 0 ? undefined : JSON.stringify(Object.fromEntries(changed));
}

const snapshotOf = (
  { resource_id: _id, organization_id, business_id, revision, data, remembered }: NewEvent,
  storedAt: Date,
): SnapshotDocument => ({
  ...{ _id, organization_id, business_id, revision, data: JSON.stringify(data) },
  ...(remembered === 'as_events' && { expires_at: new Date(storedAt.getTime() + KEPT_MS) }),
});
