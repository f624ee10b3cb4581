import type { Request, RequestHandler } from 'express';
import type { Context } from '../context.ts';
import type { Ids } from '../idempotency/idempotency.ts';
import type { Exchange, Route } from '../route.ts';
import type { Caller, Membership } from '../store/callers.ts';
import { upgradeRequest } from '../versions/index.ts';
import { admit } from './admit.ts';
import { answerWriter, sendAnswer } from './answer.ts';
import { checkAccess, checkPlan, notAuthenticated } from './authenticate.ts';
import { checkBusiness } from './check-business.ts';
import { parseIfMatch } from './etag.ts';
import { once } from './idempotency.ts';
import { parseBody } from './parse-body.ts';
import { parsePath } from './parse-path.ts';
import { parseQuery } from './parse-query.ts';
import { readJson } from './read-json.ts';
import { stateOf, type RequestState } from './request-state.ts';
import { organizationMissing, ownOrganization, settleOrganization } from './settle-organization.ts';

/**
 * What a route checks, in the order that callers are promised: credential, limits, plan, path ids, business, shape, required fields, and, in
 * the handler and the service behind it, meaning and the resource.
 */
export function runRoute(context: Context, route: Route): RequestHandler {
  const readParams = parsePath(route.params);
  const readQuery = parseQuery(route.query, { any: route.anyQuery });
  const readBody = parseBody(route.multipart ? undefined : route.body);
  const writeAnswer = answerWriter(context, route);

  return async (request, response) => {
    const state = stateOf(response);
    const caller = await admit(context, request, response);
    if (route.scope !== 'none') {
      if (!caller) throw notAuthenticated(request.headers.authorization);
      checkPlan(caller);
    }

    const params = readParams(request.params);
    const known = caller && (await aboutWhom(context, route, caller, params['business_id'] ?? '', state));
    const query = readQuery(request.query);
    const json = route.body && !route.multipart ? await readJson(request, response) : undefined;

    // Before an answer is given out of memory: that is for those who might ask anew.
    const about = caller && route.scope === 'organization' ? organizationOf(route, caller, { params, query, json }, state) : known;

    const work = async (ids: Ids) => {
      const body = readBody(upgradeRequest(state.version, route.resource)(json));
      if (route.scope === 'organization' && !about) throw organizationMissing();
      const exchange = exchangeOf({ caller, about, state, request, ids, params, query, body });
      return writeAnswer(request, state.version, await route.handler(context, exchange));
    };
    const scope = about?.organizationId ?? caller?.id ?? '';
    sendAnswer(request, response, await once(context, route, { request, response, scope, body: json }, work));
  };
}

/** What is known before the rest of the request is read. */
async function aboutWhom(context: Context, route: Route, caller: Caller, businessId: string, state: RequestState) {
  if (route.scope === 'business') {
    const membership = await checkBusiness(context, route.access, caller, metadataOf(caller, undefined, state, businessId));
    state.organizationId = membership.organizationId;
    return membership;
  }
  if (route.scope === 'caller') checkAccess(route.access, caller, undefined);
  return caller.memberships.length === 1 ? caller.memberships[0] : undefined;
}

function organizationOf(
  route: Route,
  caller: Caller,
  { params, query, json }: { params: Record<string, string>; query: Record<string, unknown>; json: unknown },
  state: RequestState,
): Membership | undefined {
  const inPath = params['organization_id'];
  const named = 'organization_id' in route.query ? query : ((json ?? {}) as Record<string, unknown>);
  const membership = inPath === undefined ? settleOrganization(caller, named['organization_id']) : ownOrganization(caller, inPath);
  if (!membership) return undefined;
  checkAccess(route.access, caller, membership);
  state.organizationId = membership.organizationId;
  return membership;
}

interface Checked {
  readonly caller: Caller | undefined;
  readonly about: Membership | undefined;
  readonly state: RequestState;
  readonly request: Request;
  readonly ids: Ids;
  readonly params: Record<string, string>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

function exchangeOf({
  caller,
  about,
  state,
  request,
  ids,
  params,
  query,
  body,
}: Checked): Exchange<typeof params, typeof query, typeof body> {
  return {
    params,
    query,
    body,
    // A handler that asks for what its scope does not give is a mistake, and must not go on with nothing.
    get caller() {
      if (!caller) throw new Error('Nobody is known to call a route of scope "none".');
      return caller;
    },
    get organization() {
      if (!about) throw new Error('No organization is settled for a route of this scope.');
      return about;
    },
    call: { metadata: metadataOf(caller, about, state, params['business_id'] ?? '') },
    ids,
    ifRevisions: parseIfMatch(request.headers['if-match']),
    request,
    requestId: state.requestId,
  };
}

function metadataOf(caller: Caller | undefined, about: Membership | undefined, { requestId, flowId }: RequestState, businessId: string) {
  return {
    organizationId: about?.organizationId ?? '',
    businessId,
    actor: caller ? `${caller.kind}:${caller.id}` : 'anonymous',
    requestId,
    flowId,
  };
}
