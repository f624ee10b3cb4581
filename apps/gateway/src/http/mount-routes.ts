import { DomainError } from '@fanfare/errors';
import type { Express, RequestHandler } from 'express';
import type { Context } from '../context.ts';
import { admit } from './callers/admit.ts';
import { stateOf } from './request/request-state.ts';
import type { Route } from './route.ts';
import { runRoute } from './run-route.ts';

/** Mounts every route, and rejects the methods that a path does not support. One layer per path: the router tries them one by one. */
export function mountRoutes(app: Express, context: Context, routes: readonly Route[]): void {
  const paths = [...Map.groupBy(routes, ({ path }) => path)].sort(([a], [b]) => (order(a) < order(b) ? -1 : 1));
  for (const [path, ofPath] of paths) {
    const byMethod = new Map(ofPath.map((route) => [route.method.toUpperCase(), runRoute(context, route)]));
    const get = byMethod.get('GET');
    if (get) byMethod.set('HEAD', get);
    const reject = rejectMethod(context, [...byMethod.keys()]);
    app.all(path.replace(/\{(\w+)\}/g, ':$1'), (request, response, next) => {
      stateOf(response).route = path;
      return (byMethod.get(request.method) ?? reject)(request, response, next);
    });
  }
}

/** /posts/validate comes before /posts/{post_id}, which would match it too. */
const order = (path: string) => path.replaceAll('{', '\uffff');

/** For a path that supports other methods. */
export function rejectMethod(context: Context, methods: readonly string[]): RequestHandler {
  const allow = methods.join(', ');
  return async (request, response) => {
    await admit(context, request, response);
    response.setHeader('Allow', allow);
    throw new DomainError('method_not_allowed', `This path supports ${allow}.`);
  };
}
