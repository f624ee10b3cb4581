import { DomainError } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import type { Context } from '../context.ts';
import type { EndpointDocument } from '../endpoints/endpoint.ts';
import { getEndpoint, requestRecovery } from '../endpoints/store/endpoints.ts';
import { storedAt } from '../feed/store/events.ts';
import { lastSequences } from '../feed/store/sequences.ts';
import { disabled } from '../endpoints/disabled.ts';

/** Requests a recovery of the events since a time, which sending does then. @throws DomainError resource_not_found, conflict, invalid_value (`since`) */
export async function beginRecovery({ db, transact }: Context, organizationId: string, id: string, since: Date): Promise<EndpointDocument> {
  if (since > now(organizationId)) throw new DomainError('invalid_value', 'since must not be in the future.', { param: 'since' });
  const endpoint = await getEndpoint(db, organizationId, id);
  if (!endpoint.enabled) throw disabled();
  const last = (await lastSequences(db, [organizationId])).get(organizationId) ?? 0;
  const first = await firstSince(db, organizationId, last, since);
  if (first > last) return endpoint;
  return transact((session) => requestRecovery(db, id, { after: first - 1, until: last }, session));
}

/** The sequence of the first event that was stored at or after a time: a binary search, because sequences grow with time. `last + 1` if there is none. */
async function firstSince(db: Db, organizationId: string, last: number, since: Date): Promise<number> {
  let [from, to] = [1, last + 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const at = await storedAt(db, organizationId, middle);
    if (at === undefined || at >= since) to = middle;
    else from = middle + 1;
  }
  return from;
}
