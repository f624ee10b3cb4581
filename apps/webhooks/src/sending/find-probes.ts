import type { Db } from 'mongodb';
import { findDueOfOthers, findTestAndOldest, type DueDelivery } from '../deliveries/store/deliveries.ts';
import { onlyFirst } from './only-first.ts';

/** Of so many due deliveries one is chosen. */
const READ_AT_ONCE = 100;

/**
 * What shows whether a broken endpoint works again: a test that is due, and one event. In turn it is the oldest one, so that events are in order if everything
 * was rejected, and the longest due one of another resource: an endpoint that only never accepts the oldest event must not keep waiting for it.
 * @param failures in a row
 */
export async function findProbes(
  db: Db,
  endpointId: string,
  now: Date,
  without: readonly string[],
  failures: number,
): Promise<DueDelivery[]> {
  const { test, oldest } = await findTestAndOldest(db, endpointId, now, without);
  const isOldestsTurn = failures % 2 === 1;
  const [other] = isOldestsTurn || !oldest ? [] : await findOthers(db, endpointId, now, without, oldest);
  return [test, other ?? oldest].filter((one) => one !== undefined);
}

/** Only the first of each resource: if the endpoint works again, its events are in order. */
async function findOthers(db: Db, endpointId: string, now: Date, without: readonly string[], { resource_id: resourceId }: DueDelivery) {
  return onlyFirst(db, endpointId, await findDueOfOthers(db, endpointId, now, { without, resourceId }, READ_AT_ONCE));
}
