import type { Topic } from '@fanfare/contracts';
import { newId } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import { toHeaders, type Attributes } from './cloud-event.ts';
import { insertOutboxRow } from './store/outbox-rows.ts';

/** What an emitter says of its event; the rest is filled in. */
export type Emission = Pick<Attributes, 'subject' | 'revision' | 'organizationId' | 'businessId' | 'flowId'>;

/**
 * Writes an event into the outbox, in the caller's transaction: it is published if, and only if, the transaction commits.
 * @param source the service that speaks, such as `content`
 */
export async function appendToOutbox<T>(
  db: Db,
  session: ClientSession,
  source: string,
  topic: Topic<T>,
  emission: Emission,
  data: T,
): Promise<void> {
  const id = newId();
  await insertOutboxRow(
    db,
    {
      _id: id,
      topic: topic.name,
      key: emission.subject,
      headers: toHeaders({ ...emission, id, type: topic.type, source, time: new Date() }),
      value: topic.codec.encode(data).finish(),
    },
    session,
  );
}
