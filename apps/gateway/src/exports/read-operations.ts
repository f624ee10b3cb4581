import { DomainError } from '@fanfare/errors';
import { systemCall } from '@fanfare/rpc';
import type { Request } from 'express';
import type { Membership } from '../accounts/index.ts';
import { routes } from '../api/routes.ts';
import type { Context } from '../context.ts';
import { parseQuery } from '../http/request/parse-query.ts';
import type { JsonRoute } from '../http/route.ts';

type Params = Readonly<Record<string, string>>;
/** A resource as the API shows it. */
export type Resource = Readonly<Record<string, unknown>>;

/** Reads resources as the operations of the API return them, within this process. */
export interface Operations {
  /** The resource of an operation; undefined if it does not exist any more. */
  find(operationId: string, params: Params, query?: Params): Promise<Resource | undefined>;
  /** The same as a list. */
  one(operationId: string, params?: Params, query?: Params): AsyncGenerator<Resource>;
  /** All resources of a list, page by page. It ends early if what it is about was deleted meanwhile. */
  list(operationId: string, params?: Params, query?: Params): AsyncGenerator<Resource>;
}

const byId = new Map(routes.filter((route): route is JsonRoute => !route.raw).map((route) => [route.operationId, route]));

/** No operation that is read here needs it, except to see what headers say. */
const NO_REQUEST = { headers: {}, method: 'GET' } as Request;
const MOST = '100';

/** @param reader an owner of the organization, and the request that the calls are for */
export function readOperations(
  context: Context,
  reader: { readonly organization: Membership; readonly userId: string; readonly requestId: string; readonly signal: AbortSignal },
): Operations {
  const { organization, userId, requestId, signal } = reader;
  const { organizationId } = organization;

  async function find(operationId: string, params: Params, query: Params = {}): Promise<Resource | undefined> {
    signal.throwIfAborted();
    const route = byId.get(operationId);
    if (route?.method !== 'get') throw new Error(`No operation ${operationId} reads JSON.`);
    const businessId = params['business_id'] ?? '';
    const exchange = {
      request: NO_REQUEST,
      params,
      query: parseQuery(route.query)(query),
      body: undefined,
      caller: { kind: 'user' as const, id: userId, memberships: [organization] },
      organization,
      call: { metadata: { ...systemCall('gateway', { organizationId, businessId }), requestId } },
      ids: { operationId: '', resourceId: '' },
      ifRevisions: [],
      requestId,
    };
    try {
      return (await route.handler(context, exchange)).body as Resource;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'resource_not_found') return undefined;
      throw error;
    }
  }

  return {
    find,
    async *one(operationId, params = {}, query = {}) {
      const found = await find(operationId, params, query);
      if (found) yield found;
    },
    async *list(operationId, params = {}, query = {}) {
      const isPaged = 'limit' in (byId.get(operationId)?.query ?? {});
      for (let cursor: Params = {}; ;) {
        const page = await find(operationId, params, { ...query, ...(isPaged && { limit: MOST }), ...cursor });
        if (!page) return;
        yield* page['items'] as Resource[];
        const next = page['has_more'] === false ? null : (page['next_cursor'] ?? page['next']);
        if (typeof next !== 'string') return;
        cursor = { cursor: next };
      }
    },
  };
}
