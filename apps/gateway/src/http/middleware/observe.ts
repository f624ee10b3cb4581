import { histogram } from '@fanfare/runtime';
import type { RequestHandler } from 'express';
import type { Context } from '../../context.ts';
import { stateOf } from '../request/request-state.ts';

/** Measures and logs every request. Labels are templates and statuses, never ids. */
export function observe({ log }: Context): RequestHandler {
  const labels = ['method', 'route', 'status'];
  const seconds = histogram('fanfare_http_seconds', 'Requests by method, route and status, without those that wait for events.', labels);
  const waiting = histogram('fanfare_http_waiting_seconds', 'Requests that wait for events: long polls and streams.', labels);
  return (request, response, next) => {
    const begun = performance.now();
    response.once('close', () => {
      const { requestId, flowId, route, caller, organizationId, waits } = stateOf(response);
      const elapsedMs = performance.now() - begun;
      const status = response.writableFinished ? String(response.statusCode) : 'aborted';
      (waits ? waiting : seconds).observe({ method: methodLabel(request.method), route, status }, elapsedMs / 1000);
      const level = response.statusCode < 400 ? 'debug' : 'info';
      if (!log.isLevelEnabled(level)) return;
      log[level](
        {
          request_id: requestId,
          flow_id: flowId,
          organization_id: organizationId,
          caller: caller && `${caller.kind}:${caller.id}`,
          method: request.method,
          route,
          status,
          elapsed_ms: Math.round(elapsedMs),
        },
        'request completed',
      );
    });
    next();
  };
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Node accepts more than 30 methods; a metric needs few labels. */
const methodLabel = (method: string) => (METHODS.has(method) ? method : 'other');
