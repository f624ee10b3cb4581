import { DomainError } from '@fanfare/errors';
import type { Express, RequestHandler } from 'express';
import type { Context } from '../context.ts';
import type { Route } from '../route.ts';
import { stateOf } from './request-state.ts';
import { runRoute } from './run-route.ts';

/** Gives every route its path, and every path an answer to the methods that it lacks. */
export function mountRoutes(app: Express, context: Context, routes: readonly Route[]): void {
  for (const [path, ofPath] of Map.groupBy(routes, ({ path }) => path)) {
    const expressPath = path.replace(/\{(\w+)\}/g, ':$1');
    app.all(expressPath, (_request, response, next) => {
      stateOf(response).route = path;
      next();
    });
    for (const route of ofPath) app[route.method](expressPath, runRoute(context, route));
    app.all(expressPath, refuseMethod(ofPath));
  }
}

function refuseMethod(routes: readonly Route[]): RequestHandler {
  const methods = routes.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
  const allow = methods.join(', ');
  return (_request, response) => {
    response.setHeader('Allow', allow);
    throw new DomainError('method_not_allowed', `This path answers to ${allow}.`);
  };
}
