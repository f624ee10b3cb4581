import type { RequestHandler, Response } from 'express';
import type { Context } from '../context.ts';
import type { Answer, Route } from '../route.ts';
import { authenticate, checkPlan } from './authenticate.ts';
import { checkBusiness } from './check-business.ts';
import { parseBody } from './parse-body.ts';
import { parsePath } from './parse-path.ts';
import { parseQuery } from './parse-query.ts';
import { readJson } from './read-json.ts';
import { stateOf } from './request-state.ts';

/**
 * What a route checks, in the order that callers are promised: credential, plan, path ids, business, shape, required fields, and, in the
 * handler and the service behind it, meaning and the resource.
 */
export function runRoute(context: Context, route: Route): RequestHandler {
  const params = parsePath(route.params);
  const query = parseQuery(route.query);
  const body = parseBody(route.body);
  return async (request, response) => {
    const state = stateOf(response);
    const caller = await authenticate(context.db, request.headers.authorization);
    state.caller = caller;
    checkPlan(caller);

    const ids = params(request.params);
    const metadata = {
      organizationId: caller.organizationId,
      businessId: ids['business_id'] ?? '',
      actor: `key:${caller.keyId}`,
      requestId: state.requestId,
      flowId: state.flowId,
    };
    if (metadata.businessId !== '') await checkBusiness(context, metadata);

    const exchange = {
      params: ids,
      query: query(request.query),
      body: route.body && !route.multipart ? body(await readJson(request, response)) : undefined,
      caller,
      call: { metadata },
      request,
    };
    send(response, context, route, await route.handler(context, exchange));
  };
}

function send(response: Response, { urls }: Context, { status }: Route, { body, location }: Answer<unknown>): void {
  response.statusCode = status;
  if (location !== undefined) response.setHeader('Location', urls.api(location));
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify(body));
}
