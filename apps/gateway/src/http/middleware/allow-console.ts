import cors from 'cors';
import type { RequestHandler } from 'express';
import type { Context } from '../../context.ts';
import { showLimits } from './show-limits.ts';

const DAY_S = 24 * 60 * 60;

/** Lets the console, and no other site, call the API from a browser. Credentials are sent in headers, so cookies are not allowed. */
export function allowConsole(context: Context): RequestHandler {
  const allow = cors({
    origin: [new URL(context.config.consoleUrl).origin],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'Last-Event-ID',
      'Service-Version',
      'Tus-Resumable',
      'Upload-Length',
      'Upload-Metadata',
      'Upload-Offset',
      'X-Flow-ID',
    ],
    exposedHeaders: [
      'Allow',
      'Deprecation',
      'ETag',
      'Fanfare-Media-Id',
      'Idempotency-Replayed',
      'Link',
      'Location',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Retry-After',
      'Service-Version',
      'Tus-Extension',
      'Tus-Resumable',
      'Tus-Version',
      'Upload-Expires',
      'Upload-Length',
      'Upload-Metadata',
      'Upload-Offset',
      'X-Flow-ID',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'X-Request-Id',
    ],
    maxAge: DAY_S,
  });
  const show = showLimits(context);
  return (request, response, next) => {
    if (request.headers.origin === undefined) {
      response.vary('Origin');
      return next();
    }
    // An OPTIONS request that is not a preflight is handled like any other method.
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    if (request.method !== 'OPTIONS') return allow(request, response, next);
    if (!isPreflight) return next();
    // A preflight ends here. It is not counted: the request that follows it will be.
    return show(request, response, () => allow(request, response, next));
  };
}
