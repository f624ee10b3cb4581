import type { EraseRequest, EraseResponse } from '@fanfare/contracts/erasure';
import type { Lease } from '@fanfare/leased-work';
import { type CallOptions, systemCall } from '@fanfare/rpc';
import { type DeletionDocument, writeDeletion } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { eraseUnderWay, eraseOwn } from './erase-own.ts';

/** How far it is. */
export interface Progress {
  /** How many documents and files were erased. */
  readonly erased: number;
  /** Undefined if nothing is left. */
  readonly waitingFor: string | undefined;
}

/** Longer than a call works, see `libs/erasure`. */
const TIMEOUT_MS = 30_000;

interface Service {
  erase(request: EraseRequest, options: CallOptions): Promise<EraseResponse>;
}

/**
 * The services in this order: the publisher first, because it finishes what is being published, for which it needs the others; generation before content and the
 * library, which its jobs call; the feed of events last, because the others emit some until they are done.
 */
const servicesOf = ({ publisher, generation, content, library, analytics, webhooks }: Context): [name: string, service: Service][] =>
  Object.entries({ publisher, generation, content, library, analytics, webhooks });

/**
 * Erases everything of a business or an organization in all services, and in the gateway, as far as that is possible now. After a crash it continues with the
 * service that was not done.
 * @throws DomainError if a service does not respond; LeaseLost
 */
export async function eraseEverywhere(context: Context, lease: Lease<DeletionDocument>): Promise<Progress> {
  const { db } = context;
  const request = await requestOf(context, lease);
  const options = { call: { metadata: systemCall('gateway', { organizationId: request.organizationId }) }, timeoutMs: TIMEOUT_MS };
  let erased = await eraseUnderWay(context, request, lease.signal);
  for (const [name, service] of servicesOf(context)) {
    if (lease.row.done?.includes(name)) continue;
    for (;;) {
      lease.signal.throwIfAborted();
      const response = await service.erase(request, options);
      erased += response.erased;
      if (response.waitingFor !== '') return { erased, waitingFor: `${name}: ${response.waitingFor}` };
      if (response.done) break;
    }
    lease.log.info({ service: name, erased }, 'the data of the deleted business or organization was erased in one of the services');
    lease.row = await writeDeletion(db, lease.row, { done: [...(lease.row.done ?? []), name], waiting_for: undefined });
  }
  erased += await eraseOwn(context, request, lease.signal);
  return { erased, waitingFor: undefined };
}

/** The businesses of an organization are read once, before content erases them. */
async function requestOf(context: Context, lease: Lease<DeletionDocument>): Promise<EraseRequest> {
  const { _id, kind, organization_id: organizationId } = lease.row;
  const wholeOrganization = kind === 'organization';
  const businessIds = lease.row.business_ids ?? (wholeOrganization ? await businessesOf(context, organizationId) : [_id]);
  if (!lease.row.business_ids) lease.row = await writeDeletion(context.db, lease.row, { business_ids: businessIds });
  return { organizationId, businessIds, wholeOrganization };
}

async function businessesOf({ content }: Context, organizationId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let pageToken: string | undefined; pageToken !== '';) {
    const request = { organizationIds: [organizationId], name: '', pageSize: 100, pageToken: pageToken ?? '' };
    const page = await content.listBusinesses(request, { call: { metadata: systemCall('gateway', { organizationId }) } });
    ids.push(...page.businesses.map(({ id }) => id));
    pageToken = page.nextPageToken;
  }
  return ids;
}
