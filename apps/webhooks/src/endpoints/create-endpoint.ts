import { randomInt } from 'node:crypto';
import { DomainError } from '@fanfare/errors';
import type { CreateEndpointRequest } from '@fanfare/contracts/webhooks';
import { isDuplicateKey } from '@fanfare/mongo';
import { toVersion } from '@fanfare/resources';
import { now } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import type { Context } from '../context.ts';
import { checkHeaders, checkUrl } from './checked.ts';
import type { EndpointDocument } from './endpoint.ts';
import { newSecret, openSecrets, sealSecrets, shownUrl } from './secrets.ts';
import { insertEndpoint, listEndpoints } from './store/endpoints.ts';
import { toFormat } from './to-endpoint.ts';

const MOST = 20;
const SLOTS = Array.from({ length: MOST }, (_, slot) => slot);

/** @throws DomainError invalid_value (`url`, `headers`), conflict */
export async function createEndpoint(
  { config, db, keyring }: Context,
  organizationId: string,
  request: CreateEndpointRequest,
): Promise<{ endpoint: EndpointDocument; secret: string }> {
  const url = checkUrl(request.url, config.sending);
  checkHeaders(request.headers);
  const { endpointId: _id, operationId, headers } = request;
  const at = now(organizationId);
  const format = toFormat(request.format);
  const made: Omit<EndpointDocument, 'slot'> = {
    _id,
    organization_id: organizationId,
    revision: 1,
    operation_ids: [operationId],
    created_at: at,
    updated_at: at,
    sealed: sealSecrets(keyring, _id, { url, headers, secret: newSecret() }),
    shown_url: shownUrl(url, format),
    header_names: headers.map(({ name }) => name),
    events: request.events,
    business_ids: request.businessIds,
    platforms: request.platforms,
    description: request.description,
    enabled: request.enabled,
    ...(!request.enabled && { disabled_reason: 'requested' as const }),
    version: toVersion(request.version),
    format,
    ordered: request.ordered,
    ...(request.rateLimitPerSecond !== undefined && { rate_limit_per_second: request.rateLimitPerSecond }),
    failures: 0,
    held: false,
    queued: 0,
  };
  const endpoint = await insertInFreeSlot(db, made);
  return { endpoint, secret: openSecrets(keyring, endpoint).secret };
}

/**
 * @returns what an earlier attempt of the same request inserted, if any
 * @throws DomainError conflict
 */
async function insertInFreeSlot(db: Db, made: Omit<EndpointDocument, 'slot'>): Promise<EndpointDocument> {
  const others = await listEndpoints(db, [made.organization_id]);
  const before = others.find(({ _id }) => _id === made._id);
  if (before) return before;
  const taken = new Set(others.map(({ slot }) => slot));
  const free = SLOTS.filter((slot) => !taken.has(slot));
  if (free.length === 0)
    throw new DomainError('conflict', `An organization can have ${MOST} webhook endpoints. Delete one that you do not need.`);
  // At random, so that requests of the same moment seldom meet in one slot.
  const endpoint = { ...made, slot: free[randomInt(free.length)]! };
  try {
    await insertEndpoint(db, endpoint);
    return endpoint;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return insertInFreeSlot(db, made);
  }
}
