import { toVersion } from '@fanfare/resources';
import type { RequestHandler } from 'express';
import { stateOf } from '../request/request-state.ts';

/** Determines the API version of a request; every response names it. */
export const serveVersion: RequestHandler = (request, response, next) => {
  const version = toVersion(request.headers['service-version']);
  stateOf(response).version = version;
  response.setHeader('Service-Version', version);
  next();
};
