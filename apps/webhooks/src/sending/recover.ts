import { now } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { newDelivery } from '../deliveries/new-delivery.ts';
import { insertMissing, repeatFailed } from '../deliveries/store/deliveries.ts';
import type { EndpointDocument } from '../endpoints/endpoint.ts';
import { selects, TEST } from '../endpoints/selects.ts';
import { endpointRows } from '../endpoints/store/endpoints.ts';
import { findEvents } from '../feed/store/events.ts';

const BATCH = 500;

/**
 * The next step of a recovery: events that the endpoint selects get a delivery if they have none, and those whose delivery has failed are delivered again.
 * Can be repeated after a crash.
 * @returns the row after it
 * @throws LeaseLost
 */
export async function recoverSome(db: Db, row: EndpointDocument): Promise<EndpointDocument> {
  const { recovery } = row;
  if (!recovery) return row;
  const range = { organizationId: row.organization_id, after: recovery.after, upTo: recovery.until };
  const events = await findEvents(db, { ...range, types: [], businessId: undefined, limit: BATCH });
  const at = now(row.organization_id);
  const wanted = events.filter((event) => event.type !== TEST && selects(row, event)).map((event) => newDelivery(event, row, at));
  await repeatFailed(
    db,
    wanted.map(({ _id }) => _id),
    at,
  );
  await insertMissing(db, wanted);
  const last = events.at(-1);
  const isDone = !last || events.length < BATCH;
  // Another recovery may have been requested meanwhile: it began earlier, or ends later.
  const isSame = { $and: [{ $eq: ['$recovery.after', recovery.after] }, { $eq: ['$recovery.until', recovery.until] }] };
  const then = isDone ? '$$REMOVE' : { after: last.sequence, until: recovery.until };
  return endpointRows.write(db, { row, pipeline: [{ $set: { recovery: { $cond: [isSame, then, '$recovery'] } } }] });
}
