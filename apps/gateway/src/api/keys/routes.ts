import { DomainError, notFound } from '@fanfare/errors';
import { currentTime } from '@fanfare/runtime';
import { z } from 'zod';
import {
  access,
  auditRequest,
  createKey,
  findShownApiKey,
  type IssuedKey,
  type KeyWanted,
  listApiKeys,
  revokeKey,
  rotateKey,
} from '../../accounts/index.ts';
import { route, type Exchange, type Route } from '../../http/route.ts';
import { ownId } from '../../text/text.ts';
import { actingOf } from '../common/acting-of.ts';
import { organizationId } from '../common/organization-id.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import {
  apiKey,
  apiKeyFromStore,
  createApiKeyBody,
  deletedWithKeys,
  newApiKeyResource,
  rotateApiKeyBody,
  withEndedKeys,
} from './api-key.ts';
import { exampleApiKey, exampleEndedKeys, exampleNewApiKey, exampleRotatedApiKey } from './api-key-example.ts';

const keys = { tag: 'Keys', access: access.manage, scope: 'organization', resource: 'api_key' } as const;
const collection = { ...keys, path: '/api/keys', params: {} } as const;
const single = { ...keys, path: '/api/keys/{key_id}', params: { key_id: z.string() } } as const;
const inQuery = { organization_id: organizationId() };

const listKeys = route({
  ...collection,
  method: 'get',
  operationId: 'list_keys',
  sdkMethod: 'keys.list',
  self: 'page',
  summary: 'List API keys',
  description:
    'Newest first. Expired keys are listed for another 30 days; revoked keys are not. With `member_id`, returns only the keys that are revoked or handed over when this member leaves.',
  query: {
    ...inQuery,
    member_id: ownId().optional().meta({ description: 'The `user_id` of a member.' }),
    limit: limitParam(20),
    cursor: cursorParam(),
  },
  returns: pageOf(apiKey, 'ApiKeyPage'),
  status: 200,
  examples: { response: { items: [exampleApiKey], next: null } },
  async handler({ db }, { query, organization }) {
    const page = { pageSize: query.limit, pageToken: query.cursor, under: query.member_id && `user:${query.member_id}` };
    const { rows, nextPageToken } = await listApiKeys(db, organization.organizationId, page);
    return { body: { items: rows.map(apiKeyFromStore), next: nextOf(nextPageToken) } };
  },
});

const createApiKey = route({
  ...collection,
  method: 'post',
  operationId: 'create_key',
  sdkMethod: 'keys.create',
  idempotent: true,
  summary: 'Create an API key',
  description:
    'A key has full access to the organization. The secret is returned only in this response. An organization can have 100 active keys. The key belongs to its creator. It is revoked when that member leaves or is no longer an admin, or when the key that created it is revoked. A key that is handed over (`hand_keys_to`) or kept (`created_keys=keep`) gets another owner instead.',
  query: {},
  body: createApiKeyBody,
  returns: newApiKeyResource,
  status: 201,
  errors: ['conflict'],
  examples: { body: { name: 'Build server' }, response: exampleNewApiKey },
  async handler(context, exchange) {
    const { name, expires_at } = exchange.body;
    const expiresAt = inFuture(expires_at) ?? undefined;
    return issued(await createKey(context, wantedBy(exchange), { name, expiresAt }));
  },
});

const getKey = route({
  ...single,
  method: 'get',
  operationId: 'get_key',
  sdkMethod: 'keys.get',
  self: 'resource',
  summary: 'Get an API key',
  description: 'Returns the key without its secret, which is not stored.',
  query: inQuery,
  returns: apiKey,
  status: 200,
  examples: { response: exampleApiKey },
  async handler({ db }, { params, organization }) {
    const key = await findShownApiKey(db, organization.organizationId, params.key_id);
    if (!key) throw notFound('key');
    return { body: apiKeyFromStore(key), revision: key.revision ?? 1 };
  },
});

const deleteKey = route({
  ...single,
  method: 'delete',
  operationId: 'delete_key',
  duringDeletion: true,
  sdkMethod: 'keys.delete',
  summary: 'Revoke an API key',
  description:
    'The key stops working everywhere within 5 seconds, permanently. So do the keys that it created, including by rotation, and the keys that those created. With `created_keys=keep` they keep working and belong to the owner of this key.',
  query: {
    ...inQuery,
    created_keys: z.enum(['revoke', 'keep']).default('revoke').meta({ description: 'What to do with the keys that this key created.' }),
  },
  returns: deletedWithKeys('KeyRevocation', 'this key'),
  status: 200,
  errors: ['precondition_failed'],
  examples: { response: exampleEndedKeys },
  async handler(context, exchange) {
    const { params, query, ifRevisions, request, requestId } = exchange;
    const ended = await revokeKey(context, {
      ...actingOf(exchange),
      keyId: params.key_id,
      keepsCreated: query.created_keys === 'keep',
      request: auditRequest(request, { requestId }),
      ifRevisions,
    });
    return withEndedKeys(ended);
  },
});

const rotateApiKey = route({
  ...keys,
  path: '/api/keys/{key_id}/rotate',
  params: single.params,
  method: 'post',
  operationId: 'rotate_key',
  sdkMethod: 'keys.rotate',
  idempotent: true,
  summary: 'Rotate an API key',
  description:
    'Creates a key of the same name that replaces this one. The old key keeps working for a while, so you can switch without downtime.',
  query: {},
  body: rotateApiKeyBody,
  returns: newApiKeyResource,
  status: 201,
  errors: ['conflict'],
  examples: { body: { overlap_seconds: 3600 }, response: exampleRotatedApiKey },
  async handler(context, exchange) {
    const { overlap_seconds, expires_at } = exchange.body;
    const rotation = { keyId: exchange.params.key_id, overlapMs: overlap_seconds * 1000, expiresAt: inFuture(expires_at) };
    return issued(await rotateKey(context, wantedBy(exchange), rotation));
  },
});

export const keyRoutes: readonly Route[] = [listKeys, createApiKey, getKey, deleteKey, rotateApiKey];

type Issuing = Pick<Exchange<unknown, unknown, unknown>, 'organization' | 'caller' | 'ids' | 'call' | 'request' | 'requestId'>;

function wantedBy(exchange: Issuing): KeyWanted {
  const { organization, ids, request } = exchange;
  const { operationId, resourceId: keyId } = ids;
  return { ...actingOf(exchange), operationId, keyId, mode: organization.mode, request: auditRequest(request, exchange) };
}

function issued({ key, secret }: IssuedKey) {
  return { body: { ...apiKeyFromStore(key), secret }, location: `/api/keys/${key._id}`, revision: key.revision ?? 1 };
}

/** @throws DomainError invalid_request */
function inFuture<T extends Date | null | undefined>(time: T): T {
  // In real time, whatever the clock of a test organization.
  if (!time || time > currentTime()) return time;
  throw new DomainError('invalid_request', 'expires_at must be in the future.', { param: 'expires_at' });
}
