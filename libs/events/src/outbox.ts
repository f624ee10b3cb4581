import type { Topic } from '@fanfare/contracts';
import { aheadMs, newId, now } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import { toHeaders, type Attributes } from './cloud-event.ts';
import { noteEvents } from './store/noted-events.ts';
import { insertOutboxRows } from './store/outbox-rows.ts';

/** Why something changed. The metadata of a call is one. */
export interface Cause {
  readonly flowId: string;
  /** By default the service itself. */
  readonly actor?: string | undefined;
  /** Absent or empty if no request of the API caused it. */
  readonly requestId?: string | undefined;
}

/** What the emitter provides of an event; the rest is filled in. */
export type Emission = Pick<Attributes, 'subject' | 'revision' | 'organizationId' | 'businessId'> & Cause;

/**
 * Writes an event into the outbox, in the caller's transaction: it is published if, and only if, the transaction commits.
 * @param source the service that emits it, such as `content`
 */
export async function appendToOutbox<T>(
  db: Db,
  session: ClientSession,
  source: string,
  topic: Topic<T>,
  emission: Emission,
  data: T,
): Promise<void> {
  await appendAllToOutbox(db, session, source, topic, [{ emission, data }]);
}

/** Writes several events, in one round trip. */
export async function appendAllToOutbox<T>(
  db: Db,
  session: ClientSession,
  source: string,
  topic: Topic<T>,
  events: readonly { readonly emission: Emission; readonly data: T }[],
): Promise<void> {
  const rows = events.map(({ emission, data }) => {
    const id = newId();
    const { actor = `system:${source}`, requestId = '', organizationId } = emission;
    const [time, clockMs] = [now(organizationId), aheadMs(organizationId)];
    const headers = toHeaders({ ...emission, actor, requestId, id, type: topic.type, source, time, clockMs });
    return { _id: id, topic: topic.name, key: emission.subject, headers, value: topic.codec.encode(data).finish() };
  });
  await insertOutboxRows(db, rows, session);
  const byClock = events.flatMap(({ emission: { organizationId } }, index) => {
    const id = rows[index]?._id;
    return id !== undefined && aheadMs(organizationId) > 0 ? [{ id, topic: topic.name, organizationId }] : [];
  });
  if (byClock.length > 0) await noteEvents(db, byClock, session);
}
