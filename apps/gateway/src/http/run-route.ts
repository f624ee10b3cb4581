import { DomainError } from '@fanfare/errors';
import { CURRENT_VERSION, upgradeRequest } from '@fanfare/resources';
import type { CallMetadata } from '@fanfare/rpc';
import { isUuid } from '@fanfare/runtime';
import type { Request, RequestHandler, Response } from 'express';
import { CACHE_TTL_MS, type Caller, isAtLeast, type Membership } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { wantsStream } from './response/event-streams.ts';
import { responseWriter, sendResponse } from './response/write-response.ts';
import { admit } from './callers/admit.ts';
import { checkAccess, checkPlan, checkSuspension, findCaller, notAuthenticated } from './callers/authenticate.ts';
import { checkBusiness } from './callers/check-business.ts';
import { checkDeleting } from './callers/check-deleting.ts';
import { organizationMissing, ownOrganization, resolveOrganization } from './callers/resolve-organization.ts';
import { parseIfMatch } from './response/etag.ts';
import type { Ids } from './idempotency/idempotency.ts';
import type { StoredResponse } from './idempotency/outcome.ts';
import { ReplayableProblem } from './idempotency/replayable-problem.ts';
import { isRepeatable, once } from './idempotency/once.ts';
import { storageLimits } from './limits/plan-limits.ts';
import type { RawHandlerResult, RawExchange, Streamed } from './raw-route.ts';
import { stateOf, type RequestState } from './request/request-state.ts';
import { allProblems, postponed } from './request/all-problems.ts';
import { inTime } from './request/in-time.ts';
import { parseBody } from './request/parse-body.ts';
import { parsePath, parseUuid } from './request/parse-path.ts';
import { parseQuery } from './request/parse-query.ts';
import { readJson } from './request/read-json.ts';
import type { Route } from './route.ts';

/**
 * Checks a request, in the documented order: credential, limits, plan, path ids, business, schema, required fields. The handler and the service behind
 * it check the meaning of the values and the resource.
 */
export function runRoute(context: Context, route: Route): RequestHandler {
  const readParams = parsePath(route.params);
  const readQuery = parseQuery(route.query, { any: route.raw && route.anyQuery });
  const readBody = parseBody(route.raw ? undefined : route.body);
  // Changes by owners, admins and keys can outlast the role or the key, so the cache must not admit a caller who has just lost it.
  const mustBeFresh = route.method !== 'get' && route.scope !== 'none' && isAtLeast(route.access.users, 'admin');
  const bodyBytes = route.raw ? undefined : route.bodyBytes;
  const readText = hasJson(route) ? readJson(bodyBytes) : undefined;
  const { write, rewrite } = responseWriter(context, route);

  return async (request, response) => {
    const state = stateOf(response);
    if (route.raw) route.begin?.(request, response);
    if (route.deprecated) showDeprecation(context, route.deprecated, response);
    const begun = performance.now();
    let caller = await admit(context, request, response, { skipCache: mustBeFresh });
    checkCaller(route, request, caller);
    const params = readParams(request.params);
    const resolve = async (json?: unknown) =>
      caller && resolveMembership(context, route, caller, { params, query: request.query, json }, state);
    const authenticateAgain = async () => {
      caller = await findCaller(context, request.headers.authorization, { skipCache: mustBeFresh });
      checkCaller(route, request, caller);
    };
    // The business that a streamed body names.
    let streamed: { business_id: string } | undefined;
    const checkCallerAgain = async () => {
      await authenticateAgain();
      await resolve(streamed);
    };
    const ofBusiness = async (id: string) => {
      streamed = { business_id: parseUuid('business_id', id) };
      membership = await resolve(streamed);
      return { metadata: metadataOf(caller, membership, state, streamed.business_id, request) };
    };

    let membership = await resolve();
    const query = postponed(() => readQuery(request.query), hasJson(route));
    const json = readText && (await inTime(request, response, readText(request, response), bodyBytes));
    if (json !== undefined) {
      // The credential may have been revoked while the body arrived.
      if (mustBeFresh || performance.now() - begun > CACHE_TTL_MS) await authenticateAgain();
      // The body may name the organization or the business. Checked before a stored response is replayed, which only those with access may get.
      membership = await resolve(json);
    }

    const work = async (ids: Ids) => {
      const body = allProblems(query.problem, () => readBody(upgradeRequest(state.version, route.resource)(json)));
      if (route.scope === 'organization' && !membership) throw organizationMissing();
      const exchange = exchangeOf({
        caller,
        membership,
        state,
        request,
        response,
        ids,
        params,
        query: query.value,
        body,
        checkCallerAgain,
        ofBusiness,
      });
      if (!route.raw && route.stream && wantsStream(request)) {
        await route.stream(context, exchange);
        return SENT;
      }
      const result: RawHandlerResult = await route.handler(context, exchange).catch((error: unknown) => {
        throw replayable(route, error);
      });
      return write(request, path, version, result);
    };
    const path = fill(route.path, params);
    const scope = membership?.organizationId ?? onlyOrganization(route, caller) ?? caller?.id ?? '';
    // A response stored for repeats is in the current version, which can be converted to all others.
    const version = isRepeatable(route, request) ? CURRENT_VERSION : state.version;
    const stored = await once(
      context,
      route,
      { request, response, scope, path, body: json, digest: digestOf(route, { request, ofBusiness }) },
      work,
    );
    if (stored === SENT) return;
    sendResponse(request, response, version === state.version ? stored : rewrite(stored, state.version));
  };
}

/** In place of a response that the route has sent itself. */
const SENT: StoredResponse = { status: 200, headers: {}, body: '' };

function showDeprecation({ config }: Context, { since, instead }: NonNullable<Route['deprecated']>, response: Response): void {
  response.setHeader('Deprecation', `@${Math.floor(since.getTime() / 1_000)}`);
  response.setHeader('Link', `<${config.baseUrl}${instead}>; rel="deprecation"; type="text/html"`);
}

const hasJson = (route: Route): boolean => !route.raw && route.body !== undefined;

/** Computes the digest of a repeat's body. The credential was checked just before, and the stored response follows. */
function digestOf(route: Route, streamed: Pick<Streamed, 'request' | 'ofBusiness'>): (() => Promise<string>) | undefined {
  const digest = route.raw && route.digest;
  return digest && (() => digest({ ...streamed, checkCallerAgain: async () => undefined }));
}

/** The organization whose idempotency keys apply to a streamed body, which names its business only in the middle. */
const onlyOrganization = ({ scope }: Route, caller: Caller | undefined): string | undefined =>
  scope === 'business' && caller?.memberships.length === 1 ? caller.memberships[0]?.organizationId : undefined;

/** A missing field of a new resource depends on the request alone, so repeats get the same error. */
function replayable({ status }: Route, error: unknown): unknown {
  const isReplayable = status === 201 && error instanceof DomainError && error.code === 'missing_field';
  return isReplayable ? new ReplayableProblem(error.code, error.detail, error) : error;
}

/** The path as the route defines it, whatever the case of the request's path. */
const fill = (template: string, params: Record<string, string>) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** @throws DomainError authentication_required, permission_denied */
function checkCaller({ scope, access }: Route, request: Request, caller: Caller | undefined): void {
  if (scope === 'none') return;
  if (!caller) throw notAuthenticated(request.headers.authorization);
  checkSuspension(caller, access);
  checkPlan(caller);
}

interface Given {
  readonly params: Record<string, string>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The parsed body, not validated; undefined if it is not read yet. */
  readonly json: unknown;
}

/**
 * The membership of the caller in the organization that a request is about, if the caller has access. Undefined while it is unknown, because the body
 * is not read yet, is invalid, or does not name one of several organizations.
 * @throws DomainError resource_not_found, permission_denied, conflict
 */
async function resolveMembership(context: Context, route: Route, caller: Caller, given: Given, state: RequestState) {
  const membership = await membershipOf(context, route, caller, given, state);
  if (membership) state.organizationId = membership.organizationId;
  return membership;
}

async function membershipOf(context: Context, route: Route, caller: Caller, { params, query, json }: Given, state: RequestState) {
  const body = (typeof json === 'object' ? (json ?? {}) : {}) as Record<string, unknown>;
  switch (route.scope) {
    case 'business': {
      const id = params['business_id'] ?? body['business_id'];
      if (typeof id !== 'string' || !isUuid(id)) return undefined;
      return checkBusiness(context, route, caller, metadataOf(caller, undefined, state, id.toLowerCase()));
    }
    case 'organization': {
      const inPath = params['organization_id'];
      const inQuery = 'organization_id' in route.query;
      // The body, which may name the organization, is not read yet.
      if (inPath === undefined && !inQuery && json === undefined && hasJson(route)) return undefined;
      const named = inQuery ? query['organization_id'] : body['organization_id'];
      const membership = inPath === undefined ? resolveOrganization(caller, named) : ownOrganization(caller, inPath);
      if (membership) checkAccess(route.access, caller, membership);
      checkDeleting(route, 'organization', membership?.finalAt);
      return membership;
    }
    case 'caller':
      checkAccess(route.access, caller, undefined);
      return caller.memberships.length === 1 ? caller.memberships[0] : undefined;
    case 'none':
      return undefined;
  }
}

interface Checked extends Pick<RawExchange<unknown, unknown>, 'response' | 'checkCallerAgain' | 'ofBusiness'> {
  readonly caller: Caller | undefined;
  readonly membership: Membership | undefined;
  readonly state: RequestState;
  readonly request: Request;
  readonly ids: Ids;
  readonly params: Record<string, string>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

function exchangeOf({
  caller,
  membership,
  state,
  request,
  response,
  ids,
  params,
  query,
  body,
  checkCallerAgain,
  ofBusiness,
}: Checked): RawExchange<typeof params, typeof query> {
  return {
    params,
    query,
    body,
    // A handler must not read what the scope of its route does not provide.
    get caller() {
      if (!caller) throw new Error('A route of scope "none" has no caller.');
      return caller;
    },
    get organization() {
      if (!membership) throw new Error('A route of this scope has no organization.');
      return membership;
    },
    call: { metadata: metadataOf(caller, membership, state, businessIdOf(params, body), request) },
    ids,
    ifRevisions: parseIfMatch(request.headers['if-match']),
    request,
    response,
    checkCallerAgain,
    ofBusiness,
    requestId: state.requestId,
  };
}

/** From the path, or from the body, which is validated by now. */
function businessIdOf(params: Record<string, string>, body: unknown): string {
  const inBody = (body as { business_id?: unknown } | undefined)?.business_id;
  return params['business_id'] ?? (typeof inBody === 'string' ? inBody.toLowerCase() : '');
}

/** @param request set if the call may store something; a GET never does */
function metadataOf(
  caller: Caller | undefined,
  membership: Membership | undefined,
  { requestId, flowId }: RequestState,
  businessId: string,
  request?: Request,
): CallMetadata {
  const metadata = {
    organizationId: membership?.organizationId ?? '',
    businessId,
    actor: caller ? `${caller.kind}:${caller.id}` : 'anonymous',
    requestId,
    flowId,
  };
  if (!membership || businessId === '' || !request || request.method === 'GET') return metadata;
  const { bytes, files } = storageLimits(membership.plan);
  return { ...metadata, storageLimits: `${bytes}/${files}` };
}
