import type { RequestHandler } from 'express';
import { newRequestId, stateOf, type RequestState } from '../request/request-state.ts';

/** ASCII of limited length: it goes into headers, logs and events. */
const FLOW_ID = /^[\x20-\x7e]{1,256}$/;

/** Gives each request an id and a flow id; every response carries both. */
export const assignIds: RequestHandler = (request, response, next) => {
  const given = request.headers['x-flow-id'];
  const requestId = newRequestId();
  const state: Omit<RequestState, 'version'> = {
    requestId,
    // Without a valid X-Flow-ID, a new flow begins with this request.
    flowId: typeof given === 'string' && FLOW_ID.test(given) ? given : requestId.slice('req_'.length),
    route: 'unknown',
  };
  Object.assign(stateOf(response), state);
  response.setHeader('X-Request-Id', state.requestId);
  response.setHeader('X-Flow-ID', state.flowId);
  next();
};
