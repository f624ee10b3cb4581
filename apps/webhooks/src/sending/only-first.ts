import type { Db } from 'mongodb';
import { firstOfResources, waitBehind, type DueDelivery } from '../deliveries/store/deliveries.ts';

/**
 * For an ordered endpoint: of each resource only its first pending delivery. If that is not due, because it has failed, the later ones wait behind it: they
 * are due when it is, so that they do not stand in the way of other resources.
 */
export async function onlyFirst(db: Db, endpointId: string, due: readonly DueDelivery[]): Promise<DueDelivery[]> {
  const firsts = await firstOfResources(db, endpointId, [...new Set(due.map(({ resource_id }) => resource_id))]);
  const sendable: DueDelivery[] = [];
  for (const first of firsts) {
    const found = due.find(({ resource_id, sequence }) => resource_id === first.resource_id && sequence === first.sequence);
    if (found) sendable.push(found);
    else if (first.next_attempt_at) await waitBehind(db, endpointId, first.resource_id, first.sequence, first.next_attempt_at);
  }
  return sendable;
}
